"""Parity finds faults that a test plants in a host, and describes each of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.hosts.expectation import Expectation, body_of_bytes
from site_mirror.hosts.http_client import NO_RESPONSE, HostRequest, HostResponse
from site_mirror.hosts.parity import compare_response
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


OTHER_FAULTS = pytest.mark.exhaustive("starts nginx and runs parity for each fault")
PLANTED_FAULTS = {
    "a changed header": (
        replace_text("site.conf", "camera=(), geo", "camera=*, geo"),
        "GET /about: permissions-policy is 'camera=*, geolocation=(), microphone=()' instead of",
    ),
    "no budget": (
        replace_text("site.conf", "limit_req zone", "# limit_req zone"),
        "GET /api/v1/health: 1200 requests answered in ",
    ),
    "a smaller budget": (
        replace_text("site.conf", "burst=599", "burst=9"),
        "GET /api/v1/health: refused after ",
    ),
}


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param(name, marks=() if name == "a changed header" else OTHER_FAULTS)
        for name in PLANTED_FAULTS
    ],
)
def test_a_fault_planted_in_the_nginx_configuration_is_found(
    planted: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    spoil, expected = PLANTED_FAULTS[planted]
    with servers.serve_host("nginx", retired_site.release, tmp_path, spoil) as server:
        differences = server.parity(spend="budget" in planted).differences
    faults = [f"{check.request}: {check.fault}" for check in differences]

    assert [fault for fault in faults if expected in fault] != []


EXPECTED = Expectation(frozenset(), HostRequest("/a"), 200, {"ETag": '"x"'}, body_of_bytes(b"body"))
ETAG = {"etag": '"x"'}


@pytest.mark.parametrize(
    ("expected", "answer", "fault"),
    [
        (EXPECTED, HostResponse(200, ETAG, b"body"), ""),
        (EXPECTED, HostResponse(200, ETAG | {"date": "now"}, b"body"), ""),
        (EXPECTED, HostResponse(404, {}, b""), "status 404 instead of 200"),
        (EXPECTED, NO_RESPONSE, "no answer instead of 200"),
        (EXPECTED, HostResponse(200, {}, b"body"), "etag is missing; promised is '\"x\"'"),
        (EXPECTED, HostResponse(200, {"etag": "y"}, b"body"), "etag is 'y' instead of '\"x\"'"),
        (
            EXPECTED,
            HostResponse(200, ETAG | {"age-of": "1"}, b"body"),
            "age-of is '1', and no such header is promised",
        ),
        (EXPECTED, HostResponse(200, ETAG, b"bodies"), "a body of 6 bytes instead of 4"),
        (
            EXPECTED,
            HostResponse(200, ETAG, b"BODY"),
            "other bytes than the manifest's, of the same length (4)",
        ),
        (
            EXPECTED,
            HostResponse(200, ETAG, b"", b"more"),
            "4 bytes follow an answer that has no body",
        ),
    ],
)
def test_each_difference_of_a_response_is_a_sentence(
    expected: Expectation, answer: HostResponse, fault: str
) -> None:
    found = [check.fault for check in compare_response(expected, answer)]

    assert [sentence for sentence in found if sentence] == [fault] * bool(fault)
