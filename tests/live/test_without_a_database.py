"""Without a database, documents are a 503, and other responses do not change."""

from typing import Any

import pytest

from api import lifecycle
from site_mirror.live.content_state import read_state
from tests.freeze import sites
from tests.live.public_answers import (
    REQUESTS_WITHOUT_CONTENT,
    PublicRequest,
    send_request,
    without_database,
)

VERSION_REQUESTS = [
    request for request in REQUESTS_WITHOUT_CONTENT if request.address.startswith("/api/v1")
]


@pytest.fixture(autouse=True)
def small_site(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site, and a process that has not read yet how the versions of the API end."""
    announcement = lifecycle.Announcement()
    for module in ("middleware", "content_state"):
        monkeypatch.setattr(f"site_mirror.live.{module}.ANNOUNCEMENT", announcement)
    sites.make_site()


def values_of(response: Any) -> tuple[int, dict[str, str], bytes]:
    return response.status_code, dict(response.headers), response.content


def test_a_response_without_content_does_not_need_the_database() -> None:
    sites.deprecate_version()
    for request in REQUESTS_WITHOUT_CONTENT:
        expected = values_of(send_request(request))
        with without_database():
            response = send_request(request)

        assert values_of(response) == expected
        assert response.status_code == request.status
        assert request.status == 204 or response["Content-Length"] == str(len(response.content))
        assert "Deprecation" in response or request not in VERSION_REQUESTS, request


def test_a_process_that_never_read_the_versions_announces_nothing() -> None:
    sites.deprecate_version()
    for request in VERSION_REQUESTS:
        with without_database():
            response = send_request(request)

        assert (response.status_code, "Deprecation" in response) == (request.status, False)


def test_a_failed_query_for_versions_is_not_repeated_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = PublicRequest(204, "/api/v1/apps", method="OPTIONS")
    clock = lifecycle.monotonic()
    monkeypatch.setattr("api.lifecycle.monotonic", lambda: clock)
    with without_database() as queries:
        for _ in range(5):
            send_request(request)
        assert len(queries) == 1
        later = clock + lifecycle.DATABASE_RETRY_SECONDS
        monkeypatch.setattr("api.lifecycle.monotonic", lambda: later)
        send_request(request)
    assert len(queries) == 2


def test_the_versions_are_read_again_as_soon_as_the_state_of_the_content_was() -> None:
    """Else the first responses that are kept would lack the announcement."""
    sites.deprecate_version()
    request = PublicRequest(404, "/api/v1/nope")
    with without_database():
        send_request(request)
    read_state(None)

    assert "Deprecation" in send_request(request)
