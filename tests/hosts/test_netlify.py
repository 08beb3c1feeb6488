"""A folder for Netlify, with its edge function and without it.

Without the function, only responses that depend on request headers differ.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.folder import fill_folder
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.netlify.host import PUBLISH_FOLDER, RESERVED_HEADERS
from site_mirror.hosts.release import ServedRelease
from site_mirror.hosts.table import HOSTS
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server
from tests.ports import free_port

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("runs Deno with packages of Netlify"),
]

NETLIFY = HOSTS["netlify"]


@pytest.fixture(scope="module")
def folder(retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("netlify")
    fill_folder(
        folder, NETLIFY.files(retired_site.release, Deployment(retired_site.release.folder, folder))
    )
    return folder


@pytest.fixture(scope="module")
def file_server(folder: Path, retired_site: FrozenSite) -> Iterator[Server]:
    port = free_port()
    with servers.run_server(servers.netlify_command(folder, port, "files-only"), folder, port, {}):
        yield Server(NETLIFY, retired_site.release, port, folder)


def remove_reserved_headers(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name not in RESERVED_HEADERS}


def test_every_document_has_its_bytes_and_headers_without_the_function(
    file_server: Server, retired_site: FrozenSite
) -> None:
    release: ServedRelease = retired_site.release
    faulty_addresses = []
    for address, entry in release.by_address.items():
        answer = file_server.ask(address)
        expected = remove_reserved_headers(dict(entry.headers))
        has_headers = {name: answer.headers.get(name) for name in expected} == expected
        if (answer.status, answer.body, has_headers) != (200, release.file(entry), True):
            faulty_addresses.append(address)

    assert faulty_addresses == []


def test_every_former_address_redirects_without_the_function(
    file_server: Server, retired_site: FrozenSite
) -> None:
    redirects = retired_site.release.redirects
    answers = [file_server.ask(redirect.address) for redirect in redirects]

    assert [(answer.status, answer.headers["location"]) for answer in answers] == [
        (308, redirect.location) for redirect in redirects
    ]
    assert answers != []


@pytest.mark.parametrize(
    ("address", "scope"),
    [
        ("/nothing", "/"),
        ("/apps/an-app~", "/"),
        ("/About", "/"),
        ("/apps/an-app/more", "/"),
        ("/api/v1/nothing", "/api/"),
        ("/api/v1/apps/an-app~", "/api/"),
    ],
)
def test_no_rule_matches_an_unknown_address(
    address: str, scope: str, file_server: Server, retired_site: FrozenSite
) -> None:
    answer = file_server.ask(address)

    assert (answer.status, answer.body) == (404, retired_site.release.bodies[scope, 404])


def test_a_redirect_rule_is_forced_and_has_one_address(
    folder: Path, retired_site: FrozenSite
) -> None:
    lines = (folder / PUBLISH_FOLDER / "_redirects").read_text().splitlines()
    redirect_lines = [line for line in lines if not line.endswith(" 404")]

    assert [
        line for line in redirect_lines if not re.fullmatch(r"/[^*:\s]* \S+ (200|308)!", line)
    ] == []
    assert sum(line.endswith(" 308!") for line in redirect_lines) == len(
        retired_site.release.redirects
    )
    assert [line.split()[0] for line in lines if line not in redirect_lines] == ["/api/*", "/*"]


def test_a_header_rule_has_one_address(folder: Path, retired_site: FrozenSite) -> None:
    text = (folder / PUBLISH_FOLDER / "_headers").read_text()
    addresses = [line for line in text.splitlines() if not line.startswith("  ")]

    assert addresses == list(retired_site.release.by_address)
    assert not any("*" in address or ":" in address for address in addresses)


def test_the_published_folder_has_the_snapshot_and_four_more_files(
    folder: Path, retired_site: FrozenSite
) -> None:
    public = folder / PUBLISH_FOLDER
    names = {str(path.relative_to(public)) for path in public.rglob("*") if path.is_file()}
    added = {"_headers", "_redirects", "errors/404.md", "errors/api/404.json"}

    assert names == added | {entry.file for entry in retired_site.release.documents}


def test_the_function_runs_for_every_request(folder: Path) -> None:
    """The project must name it: `netlify deploy --no-build` uploads no other functions."""
    project = tomllib.loads((folder / "netlify.toml").read_text())
    [declared] = project["edge_functions"]

    assert declared["path"] == "/*"
    assert (folder / f"netlify/edge-functions/{declared['function']}.js").exists()
    assert (folder / project["build"]["publish"] / "index.html").exists()


def test_a_file_of_the_previous_release_is_removed_from_the_folder(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    deployment = Deployment(retired_site.release.folder, tmp_path)
    files = dict(NETLIFY.files(retired_site.release, deployment))
    fill_folder(tmp_path, {**files, "public/gone.html": b""})
    (tmp_path / ".netlify").mkdir()
    fill_folder(tmp_path, files)

    assert not (tmp_path / "public/gone.html").exists()
    assert (tmp_path / ".netlify").exists()


def test_a_document_in_parts_is_served_completely(
    retired_site: FrozenSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.hosts.cloudflare.tables.MAX_ASSET_BYTES", 1000)
    entry = retired_site.release.by_address["/llms-full.txt"]
    with servers.serve_host("netlify", retired_site.release, tmp_path) as server:
        answer = server.ask(entry.address)

    assert entry.size > 2000
    assert (answer.status, answer.body) == (200, retired_site.release.file(entry))
    assert answer.headers["content-length"] == str(entry.size)
