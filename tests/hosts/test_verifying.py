"""A live address is compared with a manifest: all that it tells, and nothing that was removed."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts import release
from site_mirror.hosts.host import Host
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.wire import Site, Wire
from site_mirror.snapshot import signing
from site_mirror.snapshot.errors import ManifestDamaged, Unanswered
from site_mirror.verifying import of_address
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.conftest import Frozen
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

RENAMED = """
import django
django.setup()
from tests.freeze import makers
makers.edit("older", slug="oldest")
makers.edit("newer-renamed", state="draft")
"""


@pytest.fixture(scope="module")
def later(
    retired: Frozen, retired_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A target with a second release, in which a post moved and another one went."""
    folder = tmp_path_factory.mktemp("later")
    target = Path(
        shutil.copytree(retired.release.folder.parents[1], folder / "site", symlinks=True)
    )
    database = processes.copied(retired_database, folder)
    processes.run("-c", RENAMED, database=database)
    frozen = processes.freeze(target, database=database, SOURCE_DATE_EPOCH="1800000000")
    if frozen.returncode:
        raise RuntimeError(frozen.stderr)
    return target


def serving(name: str, folder: Path, tmp_path: Path) -> Iterator[Server]:
    place = tmp_path / "host"
    place.mkdir()
    with servers.serving(name, release.read(folder), place) as server:
        yield server


@pytest.fixture
def nginx(later: Path, tmp_path: Path) -> Iterator[Server]:
    """A server of the later release."""
    yield from serving("nginx", later / "current", tmp_path)


@pytest.fixture
def outdated(later: Path, retired: Frozen, tmp_path: Path) -> Iterator[Server]:
    """A server that still serves the release before."""
    first = retired.release.folder.name
    yield from serving("nginx", later / "releases" / first, tmp_path)


def wrong(
    server: Server,
    target: Path,
    public_key: str = "",
    previous: Path | None = None,
    host: Host = HOSTS["nginx"],
) -> list[str]:
    path = (target / "current").resolve() / "manifest.jsonl"
    return [str(each) for each in of_address(server.wire, path, host, public_key, previous)]


def test_a_server_of_the_release_serves_what_it_tells(nginx: Server, later: Path) -> None:
    assert wrong(nginx, later) == []


def test_what_the_release_before_had_is_gone(nginx: Server, later: Path, retired: Frozen) -> None:
    previous = later / "releases" / retired.release.folder.name

    assert wrong(nginx, later, previous=previous) == []


def test_a_server_of_the_release_before_is_found_out(outdated: Server, later: Path) -> None:
    found = wrong(outdated, later)

    gone = (later / "current/removed.txt").read_text().splitlines()
    assert "/blog/newer-renamed" in gone
    answered = {each.split(":")[0] for each in found if each.endswith(" instead of 404 or 410")}
    assert answered == {f"GET {address}" for address in gone}
    assert "GET /blog/older: status 200 instead of 308" in found
    assert "GET /blog/oldest: status 404 instead of 200" in found


def test_a_file_that_changed_is_found(nginx: Server, later: Path) -> None:
    file = later / "current/public/about.html"
    whole = file.read_bytes()
    try:
        file.write_bytes(whole.replace(b"h", b"H", 1))
        found = wrong(nginx, later)
    finally:
        file.write_bytes(whole)

    assert len([each for each in found if each.startswith("GET /about: ")]) == 1
    assert "other bytes than the manifest's" in "".join(found)


def test_another_key_has_not_signed_it(nginx: Server, later: Path) -> None:
    found = wrong(nginx, later, signing.new_pair().public)

    assert found == ["manifest.sig is missing: the manifest is not signed"]


def test_a_host_is_not_held_to_what_it_cannot_do(later: Path, tmp_path: Path) -> None:
    for server in serving("file-server", later / "current", tmp_path):
        host = HOSTS["file-server"]

        assert wrong(server, later, host=host) == []
        assert wrong(server, later) != []


def test_where_nobody_answers_it_is_said(later: Path) -> None:
    wire = Wire(Site.at("http://studio.example", ("127.0.0.1", servers.free_port())))
    path = (later / "current").resolve() / "manifest.jsonl"

    with pytest.raises(Unanswered, match="cannot be asked"):
        list(of_address(wire, path, HOSTS["nginx"]))


def test_a_manifest_that_is_none_is_said(nginx: Server, tmp_path: Path) -> None:
    with pytest.raises(ManifestDamaged, match="it is missing, or is not whole"):
        list(of_address(nginx.wire, tmp_path / "manifest.jsonl", HOSTS["nginx"]))


def verified(server: Server, *options: str) -> tuple[int, str, str]:
    connect = f"127.0.0.1:{server.port}"
    done = processes.run(
        *("manage.py", "snapshot", "verify", "http://studio.example", "--connect", connect),
        *options,
        database=Path("/nowhere"),
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_goes_by_exit_codes(nginx: Server, later: Path, retired: Frozen) -> None:
    first = later / "releases" / retired.release.folder.name

    good, told, _ = verified(nginx, "--manifest", str(later))
    bad, differences, _ = verified(nginx, "--manifest", str(first), "--json")
    usage, _, error = verified(nginx)

    assert (good, bad, usage) == (0, 1, 2)
    assert told.startswith("All as published: ")
    assert json.loads(differences)["outcome"] == "differs"
    assert {"where": "GET /blog/older:", "what": "status 308 instead of 200"} in json.loads(
        differences
    )["findings"]
    assert "use --manifest" in error


@pytest.mark.parametrize("url", ["http://", "https://studio.example/blog", "http://a b/c"])
def test_what_is_no_origin_is_a_usage_error(url: str) -> None:
    done = processes.run(
        *("manage.py", "snapshot", "verify", url, "--manifest", "x"), database=Path("/nowhere")
    )

    assert (done.returncode, "is no origin" in done.stderr) == (2, True)
