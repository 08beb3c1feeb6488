"""Parity finds faults that a test plants in a host, and describes each of them."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.nginx.host import Nginx
from site_mirror.hosts.release import ServedRelease
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server


def replace_text(file: str, before: str, after: str) -> Callable[[Path], None]:
    """Return a function that replaces a text everywhere in a file of the configuration."""

    def spoil(folder: Path) -> None:
        text = (folder / file).read_text()
        assert before in text
        (folder / file).write_text(text.replace(before, after))

    return spoil


def find_faults(
    release: ServedRelease, folder: Path, spoil: Callable[[Path], None], host: str = "nginx"
) -> set[str]:
    """Return all differences that parity finds, each after its request."""
    with servers.serve_host(host, release, folder, spoil) as server:
        return {f"{check.request}: {check.fault}" for check in server.parity().differences}


ABOUT = '"/about" "about.html";'
OTHER_FAULTS = pytest.mark.exhaustive("starts nginx and runs parity for each fault")
PLANTED_FAULTS = {
    "a changed header": (
        replace_text("site.conf", "camera=(), geo", "camera=*, geo"),
        "GET /about: permissions-policy is 'camera=*, geolocation=(), microphone=()' instead of",
    ),
    "a missing header": (
        replace_text("site.conf", 'add_header API-Version "1.0.0" always;', ""),
        "GET /api/v1/apps: api-version is missing; promised is '1.0.0'",
    ),
    "a header too many": (
        replace_text("site.conf", "internal;", 'internal; add_header X-More "1" always;'),
        "GET /api/v1/apps: x-more is '1', and no such header is promised",
    ),
    "an address too many": (
        replace_text("tables.conf", ABOUT, f'{ABOUT} "/about.html" "about.html";'),
        "GET /about.html: status 200 instead of 404",
    ),
    "an address too few": (
        replace_text("tables.conf", ABOUT, ""),
        "GET /about: status 404 instead of 200",
    ),
    "no conditions": (
        replace_text("site.conf", "$condition = 304", "$condition = never"),
        "status 200 instead of 304",
    ),
    "a length on a 304": (
        replace_text("site.conf", "more_set_input_headers", "return 304; more_set_input_headers"),
        "content-length is '0', and no such header is promised",
    ),
    "no negotiation": (
        replace_text("tables.conf", "markdown $mirror;", "markdown $document;"),
        "GET /about (Accept: text/markdown): content-type is 'text/html; charset=utf-8'",
    ),
    "a page for an error": (
        replace_text("errors.conf", "error_page 404 /", "error_page 418 /"),
        "GET /nothing-here: content-type is 'text/html' instead of 'text/markdown; charset=utf-8'",
    ),
    "one method too many": (
        replace_text("tables.conf", "HEAD 0;", "HEAD 0; DELETE 0;"),
        "DELETE /api/v1/nothing: status 404 instead of 405",
    ),
    "another place": (
        replace_text("tables.conf", "/an-app-renamed.md", "/an-app.md"),
        "GET /apps/an-app.md: location is",
    ),
}
OTHERS = [name for name in PLANTED_FAULTS if name != "a changed header"]


@pytest.mark.parametrize(
    "planted",
    ["a changed header", *(pytest.param(name, marks=OTHER_FAULTS) for name in OTHERS)],
)
def test_a_fault_planted_in_the_nginx_configuration_is_found(
    planted: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    spoil, expected = PLANTED_FAULTS[planted]
    faults = find_faults(retired_site.release, tmp_path, spoil)

    assert [fault for fault in faults if expected in fault] != []


def remove_file(file: Path) -> None:
    file.unlink()


def swap_case(file: Path) -> None:
    file.write_bytes(file.read_bytes().swapcase())


def append_byte(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"!")


@OTHER_FAULTS
@pytest.mark.parametrize(
    ("file", "spoil", "expected"),
    [
        ("about.html", remove_file, "GET /about: status 404 instead of 200"),
        ("about.md", swap_case, "GET /about.md: other bytes than the manifest's"),
        ("about.md", append_byte, "GET /about.md: a body of"),
        ("api/v1/posts.json", swap_case, "GET /api/v1/posts.json: other bytes"),
        ("openapi.json.br", remove_file, "GET /openapi.json (Accept-Encoding: br): status 404"),
    ],
)
def test_a_damaged_file_of_a_release_is_found(
    file: str,
    spoil: Callable[[Path], None],
    expected: str,
    retired_site: FrozenSite,
    tmp_path: Path,
) -> None:
    release = servers.copy_release(retired_site.release, tmp_path)
    spoil(release.public / file)
    (tmp_path / "host").mkdir()
    faults = find_faults(release, tmp_path / "host", servers.change_nothing)

    assert [fault for fault in faults if fault.startswith(expected)] != []


@OTHER_FAULTS
def test_a_removed_address_that_is_still_served_is_found(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    (tmp_path / "older").mkdir()
    removed = ("/about", "/api/v1/team.json")
    remaining = tuple(
        replace(entry, aliases=())
        for entry in retired_site.release.documents
        if entry.address not in removed
    )
    newer = replace(retired_site.release, documents=remaining, removed=removed)
    with servers.serve_host("nginx", retired_site.release, tmp_path / "older") as server:
        parity = dataclasses.replace(server, release=newer).parity()
    faults = {f"{check.request}: {check.fault}" for check in parity.differences}

    assert {f"GET {address}: status 200 instead of 404" for address in removed} <= faults


@dataclass(frozen=True)
class UnderstatedNginx(Nginx):
    """A host that is declared to lack a capability that it has."""

    cannot = {**Nginx.cannot, Capability.HEAD: "declared by mistake"}


@OTHER_FAULTS
def test_a_capability_declared_missing_by_mistake_is_found(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    with servers.serve_host("nginx", retired_site.release, tmp_path) as server:
        parity = dataclasses.replace(server, host=UnderstatedNginx()).parity()

    assert parity.understated == [Capability.HEAD]
    assert not parity.holds


@OTHER_FAULTS
def test_a_missing_budget_at_nginx_is_found(retired_site: FrozenSite, tmp_path: Path) -> None:
    without = replace_text("site.conf", "limit_req zone", "# limit_req zone")
    with servers.serve_host("nginx", retired_site.release, tmp_path, without) as server:
        faults = [check.fault for check in server.parity(spend=True).differences]

    assert faults[0].startswith("1200 requests answered in ")


@OTHER_FAULTS
def test_a_smaller_budget_at_nginx_is_found(retired_site: FrozenSite, tmp_path: Path) -> None:
    smaller = replace_text("site.conf", "burst=599", "burst=9")
    with servers.serve_host("nginx", retired_site.release, tmp_path, smaller) as server:
        faults = [check.fault for check in server.parity(spend=True).differences]

    assert faults[0].startswith("refused after ")
