"""Properties of the Cloudflare project: the size of the worker, its assets, and its upload."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.hosts.cloudflare.host import Cloudflare
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.release import ServedRelease
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

MANY_WORKERS = pytest.mark.exhaustive("starts a worker for each case")

ASSET_PATHS = ("/files/about.html", "/tables/0.json", "/assets/files/about.html", "/site.json")
DEPLOYMENT = Deployment(Path("/srv/release"), Path("/srv/cloudflare"))


@pytest.fixture(scope="module")
def server(retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    with servers.serve_host("cloudflare", retired_site.release, folder) as server:
        yield server


@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        *((address, "studio.example", 404) for address in ASSET_PATHS),
        ("/about", "www.studio.example", 400),
        ("/about", "studio.example.other", 400),
        ("/about", "STUDIO.example", 200),
        ("/about", "studio.example:8787", 200),
        # An escaped letter is the letter (RFC 3986, section 6.2.2.2).
        ("/%61bout", "studio.example", 200),
        ("/%C3about", "studio.example", 404),
    ],
)
def test_the_worker_finds_a_document_by_the_name_of_the_site_and_the_decoded_address(
    address: str, host: str, status: int, server: Server
) -> None:
    answer = server.ask(address, Host=host)

    assert answer.status == status
    assert (answer.body == server.ask("/about").body) == (status == 200)


@MANY_WORKERS
def test_wrangler_accepts_the_project_without_a_warning(server: Server) -> None:
    programs = [servers.find_cloudflare_program(name) for name in ("node", "wrangler")]
    settings = str(server.folder / "wrangler.jsonc")
    process = subprocess.run(
        [*programs, "deploy", "--dry-run", "--config", settings],
        env=os.environ | {"XDG_CONFIG_HOME": str(server.folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    output = process.stdout + process.stderr

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


DOMAIN = {"pattern": "studio.example", "custom_domain": True}


@pytest.mark.parametrize(
    ("root", "name", "routes"),
    [
        ("https://studio.example", "studio-example", [DOMAIN]),
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
