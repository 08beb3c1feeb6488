"""The announcement of the end of version 1, in headers and bodies, and refused announcements."""

from datetime import UTC, datetime

import http_sf
import pytest

from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, BASE, ROOT
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("content")

RETIREMENT = {
    "status": "deprecated",
    "announced": datetime(2026, 11, 1, tzinfo=UTC),
    "deprecation": datetime(2027, 1, 1, tzinfo=UTC),
    "sunset": datetime(2027, 6, 30, 23, 59, 59, tzinfo=UTC),
}
POLICY = f"{ROOT}/docs/versioning"
SUCCESSOR = f"{ROOT}/api/v3/"
LIFECYCLE_HEADERS = ("deprecation", "sunset", "link")

REQUESTS: list[tuple[str, str, dict[str, str], int]] = [
    ("HEAD", f"{BASE}/apps", {}, 200),
    ("GET", f"{BASE}/apps", {"HTTP_IF_NONE_MATCH": "*"}, 304),
    ("GET", f"{BASE}/apps", {"HTTP_IF_MATCH": '"x"'}, 412),
    ("GET", f"{BASE}/nope", {}, 404),
    ("GET", f"{BASE}/apps/nope", {}, 404),
    ("POST", f"{BASE}/apps", {}, 405),
    ("OPTIONS", f"{BASE}/apps", {}, 204),
    ("GET", f"{BASE}/apps/", {}, 308),
]


@pytest.fixture
def deprecated_version(content: None) -> None:
    factories.retire_version("v1", **RETIREMENT)


@pytest.fixture
def successor(deprecated_version: None) -> None:
    factories.make_version(version="v3", api_version="3.0.0", released="2026-10-01")


def read_links(answer: Answer) -> dict[str, str]:
    """Return the targets of the header `Link` by relation."""
    parts = [part.split(";") for part in answer.headers["link"].split(",")]
    return {part[1].strip().removeprefix("rel=").strip('"'): part[0].strip(" <>") for part in parts}


ANSWERS = [*(("GET", address, {}, 200) for address in ADDRESSES), *REQUESTS]


@pytest.mark.usefixtures("deprecated_version")
def test_every_response_of_a_deprecated_version_announces_its_end() -> None:
    for method, address, environ, status in ANSWERS:
        answer = call_application(method, address, **environ)
        deprecation, _ = http_sf.parse(answer.headers["deprecation"].encode(), tltype="item")

        assert answer.status == status
        assert answer.headers["deprecation"] == "@1798761600"
        assert deprecation == RETIREMENT["deprecation"]
        assert answer.headers["sunset"] == "Wed, 30 Jun 2027 23:59:59 GMT"
        assert read_links(answer) == {"deprecation": POLICY, "sunset": POLICY}


@pytest.mark.usefixtures("successor")
def test_a_successor_is_linked_if_there_is_one(get: Get) -> None:
    for address in ADDRESSES:
        assert read_links(call_application("GET", address)) == {
            "deprecation": POLICY,
            "sunset": POLICY,
            "successor-version": SUCCESSOR,
        }
    index = get(f"{BASE}/").json()
    assert index["versioningPolicy"] == POLICY
    for url in (POLICY, index["documentation"], index["openapi"]):
        assert get(url.removeprefix(ROOT)).status_code == 200


OTHER_ADDRESSES = [
    ("GET", "/api", 404),
    ("GET", "/api/", 308),
    ("GET", "/api/v3", 404),
    ("GET", "/api/v3/", 404),
    ("HEAD", "/api/v3/", 404),
    ("GET", "/api/v3/apps", 404),
    ("GET", "/api/v3/apps/", 308),
    ("GET", "/api/v10/", 404),
    ("POST", "/api/v3/", 405),
    ("OPTIONS", "/api/v3/", 204),
    ("GET", "/api/v1x", 404),
    ("GET", "/nope", 404),
]
"""Addresses that version 1 does not answer, and the status of each."""


@pytest.mark.usefixtures("successor")
def test_no_response_outside_the_version_announces_its_end() -> None:
    for method, address, status in OTHER_ADDRESSES:
        answer = call_application(method, address)

        assert answer.status == status
        assert not set(LIFECYCLE_HEADERS) & set(answer.headers)


@pytest.mark.usefixtures("deprecated_version")
def test_the_list_of_versions_and_the_index_agree_with_the_headers(get: Get) -> None:
    versions = get(f"{BASE}/versions").json()["data"]
    ours = next(version for version in versions if version["version"] == "v1")

    assert (ours["status"], ours["deprecation"], ours["sunset"]) == (
        "deprecated",
        "2027-01-01T00:00:00Z",
        "2027-06-30T23:59:59Z",
    )
    assert get(f"{BASE}/").json()["status"] == "deprecated"
