"""A fault that is planted in a host is found, and told in words."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.nginx import Nginx
from site_mirror.hosts.release import Release
from tests.hosts import servers
from tests.hosts.conftest import Frozen

pytestmark = pytest.mark.server


def rewritten(file: str, before: str, after: str) -> Callable[[Path], None]:
    """A text of the configuration, changed wherever it stands."""

    def spoil(folder: Path) -> None:
        text = (folder / file).read_text()
        assert before in text
        (folder / file).write_text(text.replace(before, after))

    return spoil


def faults(
    release: Release, folder: Path, spoil: Callable[[Path], None], host: str = "nginx"
) -> set[str]:
    """Every difference that a run finds, with the request in front."""
    with servers.serving(host, release, folder, spoil) as server:
        return {f"{check.request}: {check.fault}" for check in server.parity().differences}


ABOUT = '"/about" "about.html";'
PLANTED = {
    "a changed header": (
        rewritten("site.conf", "camera=(), geo", "camera=*, geo"),
        "GET /about: permissions-policy is 'camera=*, geolocation=(), microphone=()' instead of",
    ),
    "a missing header": (
        rewritten("site.conf", 'add_header API-Version "1.0.0" always;', ""),
        "GET /api/v1/apps: api-version is missing; promised is '1.0.0'",
    ),
    "a header too many": (
        rewritten("site.conf", "internal;", 'internal; add_header X-More "1" always;'),
        "GET /api/v1/apps: x-more is '1', and no such header is promised",
    ),
    "an address too many": (
        rewritten("tables.conf", ABOUT, f'{ABOUT} "/about.html" "about.html";'),
        "GET /about.html: status 200 instead of 404",
    ),
    "an address too few": (
        rewritten("tables.conf", ABOUT, ""),
        "GET /about: status 404 instead of 200",
    ),
    "no conditions": (
        rewritten("site.conf", "$condition = 304", "$condition = never"),
        "status 200 instead of 304",
    ),
    "a length on a 304": (
        rewritten("site.conf", "more_set_input_headers", "return 304; more_set_input_headers"),
        "content-length is '0', and no such header is promised",
    ),
    "no negotiation": (
        rewritten("tables.conf", "markdown $mirror;", "markdown $document;"),
        "GET /about (Accept: text/markdown): content-type is 'text/html; charset=utf-8'",
    ),
    "a page for an error": (
        rewritten("errors.conf", "error_page 404 /", "error_page 418 /"),
        "GET /nothing-here: content-type is 'text/html' instead of 'text/markdown; charset=utf-8'",
    ),
    "one method too many": (
        rewritten("tables.conf", "HEAD 0;", "HEAD 0; DELETE 0;"),
        "DELETE /api/v1/nothing: status 404 instead of 405",
    ),
    "another place": (
        rewritten("tables.conf", "/an-app-renamed.md", "/an-app.md"),
        "GET /apps/an-app.md: location is",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_fault_of_the_configuration_is_found(
    planted: str, retired: Frozen, tmp_path: Path
) -> None:
    spoil, told = PLANTED[planted]
    found = faults(retired.release, tmp_path, spoil)

    assert [fault for fault in found if told in fault] != []


def missing(file: Path) -> None:
    file.unlink()


def other_bytes(file: Path) -> None:
    file.write_bytes(file.read_bytes().swapcase())


def other_length(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"!")


@pytest.mark.parametrize(
    ("file", "spoil", "told"),
    [
        ("about.html", missing, "GET /about: status 404 instead of 200"),
        ("about.md", other_bytes, "GET /about.md: other bytes than the manifest's"),
        ("about.md", other_length, "GET /about.md: a body of"),
        ("api/v1/posts.json", other_bytes, "GET /api/v1/posts.json: other bytes"),
        ("openapi.json.br", missing, "GET /openapi.json (Accept-Encoding: br): status 404"),
    ],
)
def test_a_spoilt_file_is_found(
    file: str, spoil: Callable[[Path], None], told: str, retired: Frozen, tmp_path: Path
) -> None:
    own = servers.copied(retired.release, tmp_path)
    spoil(own.public / file)
    (tmp_path / "host").mkdir()
    found = faults(own, tmp_path / "host", servers.untouched)

    assert [fault for fault in found if fault.startswith(told)] != []


def test_what_was_removed_and_is_still_answered_is_found(retired: Frozen, tmp_path: Path) -> None:
    (tmp_path / "older").mkdir()
    removed = ("/about", "/api/v1/team.json")
    fewer = tuple(
        replace(entry, aliases=())
        for entry in retired.release.documents
        if entry.address not in removed
    )
    newer = replace(retired.release, documents=fewer, removed=removed)
    with servers.serving("nginx", retired.release, tmp_path / "older") as server:
        parity = dataclasses.replace(server, release=newer).parity()
    found = {f"{check.request}: {check.fault}" for check in parity.differences}

    assert {f"GET {address}: status 200 instead of 404" for address in removed} <= found


@dataclass(frozen=True)
class Modest(Nginx):
    """A host that says less of itself than is true."""

    cannot = {**Nginx.cannot, Ability.HEAD: "nobody has tried"}


def test_an_inability_that_is_none_is_found(retired: Frozen, tmp_path: Path) -> None:
    with servers.serving("nginx", retired.release, tmp_path) as server:
        parity = dataclasses.replace(server, host=Modest()).parity()

    assert parity.understated == [Ability.HEAD]
    assert not parity.holds


def test_a_budget_that_is_not_enforced_is_found(retired: Frozen, tmp_path: Path) -> None:
    without = rewritten("site.conf", "limit_req zone", "# limit_req zone")
    with servers.serving("nginx", retired.release, tmp_path, without) as server:
        found = [check.fault for check in server.parity(spend=True).differences]

    assert found[0].startswith("1200 requests answered in ")


def test_a_budget_that_is_too_small_is_found(retired: Frozen, tmp_path: Path) -> None:
    smaller = rewritten("site.conf", "burst=599", "burst=9")
    with servers.serving("nginx", retired.release, tmp_path, smaller) as server:
        found = [check.fault for check in server.parity(spend=True).differences]

    assert found[0].startswith("refused after ")
