"""A folder for Netlify is right without its function too, but for what a request's headers ask."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.folder import fill
from site_mirror.hosts.host import Place
from site_mirror.hosts.netlify import OF_NETLIFY, PUBLIC
from site_mirror.hosts.release import Release
from site_mirror.hosts.table import HOSTS
from tests.hosts import servers
from tests.hosts.conftest import Frozen
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

NETLIFY = HOSTS["netlify"]


@pytest.fixture(scope="module")
def folder(retired: Frozen, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("netlify")
    fill(folder, NETLIFY.files(retired.release, Place(retired.release.folder, folder)))
    return folder


@pytest.fixture(scope="module")
def alone(folder: Path, retired: Frozen) -> Iterator[Server]:
    port = servers.free_port()
    with servers.running(servers.netlify(folder, port, "alone"), folder, port, {}):
        yield Server(NETLIFY, retired.release, port, folder)


def without_own(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name not in OF_NETLIFY}


def test_every_document_has_its_bytes_and_headers_without_the_function(
    alone: Server, retired: Frozen
) -> None:
    release: Release = retired.release
    wrong = []
    for address, entry in release.by_address.items():
        answer = alone.ask(address)
        told = without_own(dict(entry.headers))
        same = {name: answer.headers.get(name) for name in told} == told
        if (answer.status, answer.body, same) != (200, release.file(entry), True):
            wrong.append(address)

    assert wrong == []


def test_every_former_address_leads_on_without_the_function(alone: Server, retired: Frozen) -> None:
    redirects = retired.release.redirects
    found = [alone.ask(redirect.address) for redirect in redirects]

    assert [(answer.status, answer.headers["location"]) for answer in found] == [
        (308, redirect.location) for redirect in redirects
    ]
    assert found != []


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
def test_no_rule_hides_that_nothing_is_there(
    address: str, scope: str, alone: Server, retired: Frozen
) -> None:
    answer = alone.ask(address)

    assert (answer.status, answer.body) == (404, retired.release.bodies[scope, 404])


def test_a_redirect_is_forced_and_names_one_address(folder: Path, retired: Frozen) -> None:
    lines = (folder / PUBLIC / "_redirects").read_text().splitlines()
    named = [line for line in lines if not line.endswith(" 404")]

    assert [line for line in named if not re.fullmatch(r"/[^*:\s]* \S+ (200|308)!", line)] == []
    assert sum(line.endswith(" 308!") for line in named) == len(retired.release.redirects)
    assert [line.split()[0] for line in lines if line not in named] == ["/api/*", "/*"]


def test_a_set_of_headers_belongs_to_one_address(folder: Path, retired: Frozen) -> None:
    text = (folder / PUBLIC / "_headers").read_text()
    addresses = [line for line in text.splitlines() if not line.startswith("  ")]

    assert addresses == list(retired.release.by_address)
    assert not any("*" in address or ":" in address for address in addresses)


def test_what_is_published_is_the_snapshot_and_no_more(folder: Path, retired: Frozen) -> None:
    public = folder / PUBLIC
    found = {str(path.relative_to(public)) for path in public.rglob("*") if path.is_file()}
    own = {"_headers", "_redirects", "errors/404.md", "errors/api/404.json"}

    assert found == own | {entry.file for entry in retired.release.documents}


def test_every_request_is_the_functions(folder: Path) -> None:
    """`netlify deploy --no-build` uploads only functions that the project names."""
    project = tomllib.loads((folder / "netlify.toml").read_text())
    [declared] = project["edge_functions"]

    assert declared["path"] == "/*"
    assert (folder / f"netlify/edge-functions/{declared['function']}.js").exists()
    assert (folder / project["build"]["publish"] / "index.html").exists()


def test_a_folder_loses_what_the_release_before_had(retired: Frozen, tmp_path: Path) -> None:
    place = Place(retired.release.folder, tmp_path)
    files = dict(NETLIFY.files(retired.release, place))
    fill(tmp_path, {**files, "public/gone.html": b""})
    (tmp_path / ".netlify").mkdir()
    fill(tmp_path, files)

    assert not (tmp_path / "public/gone.html").exists()
    assert (tmp_path / ".netlify").exists()


def test_a_document_that_another_host_cuts_is_whole(
    retired: Frozen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.hosts.cloudflare_tables.LARGEST", 1000)
    entry = retired.release.by_address["/llms-full.txt"]
    with servers.serving("netlify", retired.release, tmp_path) as server:
        answer = server.ask(entry.address)

    assert entry.size > 2000
    assert (answer.status, answer.body) == (200, retired.release.file(entry))
    assert answer.headers["content-length"] == str(entry.size)
