"""Properties of the Cloudflare project: the size of the worker, its assets, and its upload."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.documents.encodings import sha256_hex
from site_mirror.hosts.cloudflare.host import Cloudflare
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.release import ServedRelease
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

MANY_WORKERS = pytest.mark.exhaustive("starts a worker for each case")

DEPLOYMENT = Deployment(Path("/srv/release"), Path("/srv/cloudflare"))


@pytest.fixture(scope="module")
def server(retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    with servers.serve_host("cloudflare", retired_site.release, folder) as server:
        yield server


@pytest.mark.parametrize(
    "address", ["/files/about.html", "/tables/0.json", "/assets/files/about.html", "/site.json"]
)
def test_an_asset_is_not_served_at_its_own_address(server: Server, address: str) -> None:
    assert server.ask(address).status == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("www.studio.example", 400),
        ("studio.example.other", 400),
        ("STUDIO.example", 200),
        ("studio.example:8787", 200),
    ],
)
def test_the_name_of_the_site_may_be_in_any_case_and_have_any_port(
    host: str, status: int, server: Server
) -> None:
    assert server.ask("/about", Host=host).status == status


def add_large_file(release: ServedRelease) -> ServedRelease:
    """Give a release an `/llms-full.txt` of 32 MiB, which exceeds the limit of an asset."""
    body = b"0123456789abcdef" * (2 << 20)
    entry = release.by_address["/llms-full.txt"]
    (release.public / entry.file).write_bytes(body)
    headers = {**entry.headers, "Content-Length": str(len(body))}
    large = replace(entry, size=len(body), sha256=sha256_hex(body), headers=headers, encodings=())
    others = (document for document in release.documents if document is not entry)
    return replace(release, documents=(*others, large))


@MANY_WORKERS
def test_a_file_larger_than_an_asset_is_served_completely(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    large = add_large_file(servers.copy_release(retired_site.release, tmp_path))
    (tmp_path / "host").mkdir()
    with servers.serve_host("cloudflare", large, tmp_path / "host") as server:
        answer = server.ask("/llms-full.txt")

    assert answer.headers["content-length"] == str(32 << 20)
    assert sha256_hex(answer.body) == large.by_address["/llms-full.txt"].sha256


def check_upload(folder: Path) -> str:
    """Return the output of `wrangler` for an upload without sending it."""
    words = ["deploy", "--dry-run", "--config", str(folder / "wrangler.jsonc")]
    process = subprocess.run(
        [
            servers.find_cloudflare_program("node"),
            servers.find_cloudflare_program("wrangler"),
            *words,
        ],
        env=os.environ | {"XDG_CONFIG_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout + process.stderr


@MANY_WORKERS
def test_wrangler_accepts_the_project_without_a_warning(server: Server) -> None:
    output = check_upload(server.folder)

    assert "env.BUDGET (600 requests/60s)" in output
    assert "--dry-run: exiting now." in output
    assert re.search("warn|unexpected|error", output, re.IGNORECASE) is None


def add_addresses(release: ServedRelease, number: int) -> ServedRelease:
    """Return a release with a document at that many more addresses."""
    entry = release.by_address["/api/v1/team"]
    more = (replace(entry, address=f"/api/v1/team/{n}", aliases=()) for n in range(number))
    return replace(release, documents=(*release.documents, *more))


def test_the_worker_and_its_tables_do_not_grow_with_the_site(retired_site: FrozenSite) -> None:
    small = Cloudflare().files(retired_site.release, DEPLOYMENT)
    large = Cloudflare().files(add_addresses(retired_site.release, 20_000), DEPLOYMENT)

    worker = {name for name in small if not name.startswith("assets/")} - {"site.json"}
    assert {name: large[name] for name in worker} == {name: small[name] for name in worker}
    assert length_of(large["site.json"]) - length_of(small["site.json"]) < 5
    assert max(length_of(content) for name, content in large.items() if "/tables/" in name) < 64_000


def length_of(content: bytes | Path) -> int:
    assert isinstance(content, bytes)
    return len(content)


@pytest.mark.parametrize(
    ("root", "name", "routes"),
    [
        (
            "https://studio.example",
            "studio-example",
            [{"pattern": "studio.example", "custom_domain": True}],
        ),
        ("http://127.0.0.1:8000", "127-0-0-1", []),
    ],
)
def test_a_worker_has_the_name_and_the_domain_of_its_site(
    root: str, name: str, routes: list[object], retired_site: FrozenSite
) -> None:
    files = Cloudflare().files(replace(retired_site.release, root=root), DEPLOYMENT)
    text = files["wrangler.jsonc"]
    assert isinstance(text, bytes)
    project = json.loads(text.partition(b"\n")[2])

    assert (project["name"], project["routes"]) == (name, routes)
