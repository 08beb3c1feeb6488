"""What Cloudflare alone needs: a small worker, assets behind it, a project that its tool takes."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.encodings import digest
from site_mirror.hosts.cloudflare import Cloudflare
from site_mirror.hosts.cloudflare_tables import place
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import Release
from tests.hosts import servers
from tests.hosts.conftest import Frozen
from tests.hosts.servers import Server
from tests.hosts.test_planted_faults import faults, rewritten

pytestmark = pytest.mark.server

Rows = dict[str, dict[str, object]]
HERE = Place(Path("/srv/release"), Path("/srv/cloudflare"))


def with_rows(change: Callable[[Rows], object]) -> Callable[[Path], None]:
    """The table that has a row for `/about`, changed."""

    def spoil(folder: Path) -> None:
        for file in (folder / "assets/tables").iterdir():
            rows = json.loads(file.read_bytes())
            if "/about" in rows:
                change(rows)
                file.write_text(json.dumps(rows))

    return spoil


def without_an_asset(folder: Path) -> None:
    (folder / "assets/files/about.html.br").unlink()


PLANTED = {
    "an address too few": (
        with_rows(lambda rows: rows.pop("/about")),
        "GET /about: status 404 instead of 200",
    ),
    "an address of another file": (
        with_rows(lambda rows: rows["/about"].update(files=["about.md"])),
        "GET /about: no answer instead of 200",
    ),
    "a file too few": (
        without_an_asset,
        "GET /about (Accept-Encoding: br): status 500 instead of 200",
    ),
    "no conditions": (
        rewritten("worker.js", '=== "304"', '=== "never"'),
        "status 200 instead of 304",
    ),
    "a coding by Cloudflare": (
        rewritten("worker.js", ', encodeBody: "manual"', ""),
        "GET /about (Accept-Encoding: br): ",
    ),
    "every host": (
        rewritten("worker.js", "asked.host !== site.host", "false"),
        "GET /api/v1/apps (Host: not-this-site.example): status 200 instead of 400",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_fault_of_the_project_is_found(planted: str, retired: Frozen, tmp_path: Path) -> None:
    spoil, told = PLANTED[planted]
    found = faults(retired.release, tmp_path, spoil, "cloudflare")

    assert [fault for fault in found if told in fault] != []


def test_a_budget_that_is_too_small_is_found(retired: Frozen, tmp_path: Path) -> None:
    smaller = rewritten("wrangler.jsonc", '"limit": 600', '"limit": 10')
    with servers.serving("cloudflare", retired.release, tmp_path, smaller) as server:
        found = [check.fault for check in server.parity(spend=True).differences]

    assert found[0].startswith("refused after 10 requests")


def test_a_worker_that_keeps_fewer_tables_answers_the_same(retired: Frozen, tmp_path: Path) -> None:
    fewer = rewritten("worker.js", "KEPT = 256", "KEPT = 1")

    assert faults(retired.release, tmp_path, fewer, "cloudflare") == set()


@pytest.fixture(scope="module")
def server(retired: Frozen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    with servers.serving("cloudflare", retired.release, folder) as server:
        yield server


@pytest.mark.parametrize(
    "address", ["/files/about.html", "/tables/0.json", "/assets/files/about.html", "/site.json"]
)
def test_no_asset_is_answered_at_its_own_address(server: Server, address: str) -> None:
    assert server.ask(address).status == 404


@pytest.mark.parametrize("host", ["www.studio.example", "studio.example.other", "other:80"])
def test_another_host_gets_no_page(server: Server, host: str) -> None:
    assert server.ask("/about", Host=host).status == 400


@pytest.mark.parametrize("host", ["STUDIO.example", "studio.example:8787"])
def test_the_host_is_the_sites_in_any_case_and_on_any_port(server: Server, host: str) -> None:
    assert server.ask("/about", Host=host).status == 200


def test_an_escaped_address_is_the_same_address(server: Server) -> None:
    assert server.ask("/%61bout").body == server.ask("/about").body


def with_a_large_file(release: Release) -> Release:
    """A release whose `/llms-full.txt` has 32 MiB, more than an asset of Cloudflare may."""
    body = b"0123456789abcdef" * (2 << 20)
    entry = release.by_address["/llms-full.txt"]
    (release.public / entry.file).write_bytes(body)
    headers = {**entry.headers, "Content-Length": str(len(body))}
    large = replace(entry, size=len(body), sha256=digest(body), headers=headers, encodings=())
    others = (document for document in release.documents if document is not entry)
    return replace(release, documents=(*others, large))


def test_a_file_that_is_larger_than_an_asset_is_served_whole(
    retired: Frozen, tmp_path: Path
) -> None:
    large = with_a_large_file(servers.copied(retired.release, tmp_path))
    (tmp_path / "host").mkdir()
    with servers.serving("cloudflare", large, tmp_path / "host") as server:
        answer = server.ask("/llms-full.txt")

    assert answer.headers["content-length"] == str(32 << 20)
    assert digest(answer.body) == large.by_address["/llms-full.txt"].sha256


def uploaded(folder: Path) -> str:
    """What `wrangler` says of an upload that it does not make."""
    words = ["deploy", "--dry-run", "--config", str(folder / "wrangler.jsonc")]
    ended = subprocess.run(
        [servers.cloudflare("node"), servers.cloudflare("wrangler"), *words],
        env=os.environ | {"XDG_CONFIG_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout + ended.stderr


def test_the_tool_of_cloudflare_takes_the_project_without_a_warning(server: Server) -> None:
    said = uploaded(server.folder)

    assert "env.BUDGET (600 requests/60s)" in said
    assert "--dry-run: exiting now." in said
    assert re.search("warn|unexpected|error", said, re.IGNORECASE) is None


def grown(release: Release, number: int) -> Release:
    """A release with a document at that many more addresses."""
    entry = release.by_address["/api/v1/team"]
    more = (replace(entry, address=f"/api/v1/team/{n}", aliases=()) for n in range(number))
    return replace(release, documents=(*release.documents, *more))


def test_a_large_site_needs_no_larger_worker_and_no_larger_table(retired: Frozen) -> None:
    small = Cloudflare().files(retired.release, HERE)
    large = Cloudflare().files(grown(retired.release, 20_000), HERE)

    worker = {name for name in small if not name.startswith("assets/")} - {"site.json"}
    assert {name: large[name] for name in worker} == {name: small[name] for name in worker}
    assert length(large["site.json"]) - length(small["site.json"]) < 5
    assert max(length(content) for name, content in large.items() if "/tables/" in name) < 64_000


def length(content: bytes | Path) -> int:
    assert isinstance(content, bytes)
    return len(content)


def test_addresses_are_spread_evenly_over_the_tables() -> None:
    counts = [0] * 100
    for number in range(10_000):
        counts[place(f"/blog/post-{number}", 100)] += 1

    assert 50 < min(counts) <= max(counts) < 150


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
    root: str, name: str, routes: list[object], retired: Frozen
) -> None:
    files = Cloudflare().files(replace(retired.release, root=root), HERE)
    text = files["wrangler.jsonc"]
    assert isinstance(text, bytes)
    project = json.loads(text.partition(b"\n")[2])

    assert (project["name"], project["routes"]) == (name, routes)
