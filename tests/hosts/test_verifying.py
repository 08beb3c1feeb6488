"""`snapshot verify URL` compares a site with a manifest and requests removed addresses."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts import release
from site_mirror.hosts.deployed import compare_deployed
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import BaseAddress, HttpClient
from site_mirror.hosts.table import HOSTS
from site_mirror.snapshot.errors import ManifestDamaged, Unanswered
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server
from tests.ports import free_port

pytestmark = pytest.mark.server

RENAME_POSTS = """
import django
django.setup()
from tests.freeze import sites
sites.edit_post("older", slug="oldest")
sites.edit_post("newer-renamed", state="draft")
"""


@pytest.fixture(scope="module")
def second_target(
    retired_site: FrozenSite, retired_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A target whose second release has a post at another address and one post fewer."""
    folder = tmp_path_factory.mktemp("later")
    target = Path(
        shutil.copytree(retired_site.release.folder.parents[1], folder / "site", symlinks=True)
    )
    database = processes.copy_database(retired_database, folder)
    processes.run("-c", RENAME_POSTS, database=database)
    process = processes.freeze(target, database=database, SOURCE_DATE_EPOCH="1800000000")
    if process.returncode:
        raise RuntimeError(process.stderr)
    return target


def serve_release(name: str, folder: Path, tmp_path: Path) -> Iterator[Server]:
    host_folder = tmp_path / "host"
    host_folder.mkdir()
    with servers.serve_host(name, release.read_release(folder), host_folder) as server:
        yield server


@pytest.fixture
def current_server(second_target: Path, tmp_path: Path) -> Iterator[Server]:
    """A server of the second release."""
    yield from serve_release("nginx", second_target / "current", tmp_path)


@pytest.fixture
def outdated_server(
    second_target: Path, retired_site: FrozenSite, tmp_path: Path
) -> Iterator[Server]:
    """A server of the first release."""
    first = retired_site.release.folder.name
    yield from serve_release("nginx", second_target / "releases" / first, tmp_path)


def discrepancies(
    server: Server,
    target: Path,
    previous: Path | None = None,
    host: Host = HOSTS["nginx"],
) -> list[str]:
    path = (target / "current").resolve() / "manifest.jsonl"
    return [str(each) for each in compare_deployed(server.http, path, host, previous)]


def test_a_server_of_the_current_release_has_no_discrepancy(
    current_server: Server, second_target: Path
) -> None:
    assert discrepancies(current_server, second_target) == []


def test_addresses_of_the_previous_manifest_are_gone(
    current_server: Server, second_target: Path, retired_site: FrozenSite
) -> None:
    previous = second_target / "releases" / retired_site.release.folder.name

    assert discrepancies(current_server, second_target, previous=previous) == []


def test_a_server_of_the_previous_release_is_found(
    outdated_server: Server, second_target: Path
) -> None:
    lines = discrepancies(outdated_server, second_target)

    removed = (second_target / "current/removed.txt").read_text().splitlines()
    assert "/blog/newer-renamed" in removed
    answered = {line.split(":")[0] for line in lines if line.endswith(" instead of 404 or 410")}
    assert answered == {f"GET {address}" for address in removed}
    assert "GET /blog/older: status 200 instead of 308" in lines
    assert "GET /blog/oldest: status 404 instead of 200" in lines


def test_a_changed_file_of_a_deployed_release_is_found(
    current_server: Server, second_target: Path
) -> None:
    file = second_target / "current/public/about.html"
    content = file.read_bytes()
    try:
        file.write_bytes(content.replace(b"h", b"H", 1))
        lines = discrepancies(current_server, second_target)
    finally:
        file.write_bytes(content)

    assert len([line for line in lines if line.startswith("GET /about: ")]) == 1
    assert "other bytes than the manifest's" in "".join(lines)


def test_a_missing_capability_of_the_host_is_excused(second_target: Path, tmp_path: Path) -> None:
    for server in serve_release("file-server", second_target / "current", tmp_path):
        host = HOSTS["file-server"]

        assert discrepancies(server, second_target, host=host) == []
        assert discrepancies(server, second_target) != []


def test_a_server_that_cannot_be_reached_is_an_error(second_target: Path) -> None:
    http = HttpClient(BaseAddress.at("http://studio.example", ("127.0.0.1", free_port())))
    path = (second_target / "current").resolve() / "manifest.jsonl"

    with pytest.raises(Unanswered, match="cannot be asked"):
        list(compare_deployed(http, path, HOSTS["nginx"]))


def test_a_missing_manifest_is_an_error(current_server: Server, tmp_path: Path) -> None:
    with pytest.raises(ManifestDamaged, match="it is missing, or is not whole"):
        list(compare_deployed(current_server.http, tmp_path / "manifest.jsonl", HOSTS["nginx"]))


def run_verify(server: Server, *options: str) -> tuple[int, str, str]:
    connect = f"127.0.0.1:{server.port}"
    process = processes.run(
        *("manage.py", "snapshot", "verify", "http://studio.example", "--connect", connect),
        *options,
        database=Path("/nowhere"),
    )
    return process.returncode, process.stdout, process.stderr


def test_verify_of_a_url_has_an_exit_code_for_each_outcome(
    current_server: Server, second_target: Path, retired_site: FrozenSite
) -> None:
    first = second_target / "releases" / retired_site.release.folder.name

    exit_of_match, output, _ = run_verify(current_server, "--manifest", str(second_target))
    exit_of_difference, report, _ = run_verify(current_server, "--manifest", str(first), "--json")
    exit_of_usage, _, error = run_verify(current_server)

    assert (exit_of_match, exit_of_difference, exit_of_usage) == (0, 1, 2)
    assert output.startswith("All as published: ")
    assert json.loads(report)["outcome"] == "differs"
    assert {"where": "GET /blog/older:", "what": "status 308 instead of 200"} in json.loads(report)[
        "findings"
    ]
    assert "use --manifest" in error


@pytest.mark.parametrize("url", ["http://", "https://studio.example/blog", "http://a b/c"])
def test_verify_of_a_url_that_is_not_an_origin_is_a_usage_error(url: str) -> None:
    process = processes.run(
        *("manage.py", "snapshot", "verify", url, "--manifest", "x"), database=Path("/nowhere")
    )

    assert (process.returncode, "is not an origin" in process.stderr) == (2, True)
