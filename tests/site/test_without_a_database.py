"""Without a database, documents are a 503, and other responses do not change."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from api import lifecycle
from tests import factories
from tests.freeze import sites
from tests.site.public_answers import (
    PublicRequest,
    list_typical_requests,
    send_request,
    send_without_database,
)

REQUESTS_WITHOUT_CONTENT = (
    PublicRequest(204, "/api/v1/apps", method="OPTIONS"),
    PublicRequest(204, "/api/v1/nope", method="OPTIONS"),
    PublicRequest(204, "/about", method="OPTIONS"),
    PublicRequest(308, "/api/v1/apps/"),
    PublicRequest(308, "/about/"),
    PublicRequest(308, "/about//"),
    PublicRequest(404, "/api/v1/nope"),
    PublicRequest(404, "/api/v2/"),
    PublicRequest(404, "/nope"),
    PublicRequest(405, "/api/v1/apps", method="POST"),
    PublicRequest(405, "/openapi.json", method="DELETE"),
    PublicRequest(405, "/about", method="POST"),
    PublicRequest(400, "/api/v1/apps", headers={"host": "evil.example"}),
)
"""Requests whose responses need no content."""


@pytest.fixture(autouse=True)
def _unread_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_mirror.live.middleware.ANNOUNCEMENT", lifecycle.Announcement())


@pytest.fixture
def small_site(db: None) -> None:
    sites.make_site()


def fail(*query: Any) -> None:
    raise OperationalError("could not connect to server")


def test_every_document_is_a_503_without_a_database(small_site: None) -> None:
    for request in list_typical_requests():
        if request.status != 200:
            continue
        cache.clear()
        response = send_without_database(request.address)
        api = request.address == "/openapi.json" or request.address.startswith("/api/")
        assert response.status_code == 503, request
        assert response["Retry-After"] == "30"
        assert response["Cache-Control"] == "no-store"
        assert response["Content-Length"] == str(len(response.content))
        kind = "application/problem+json" if api else "text/markdown; charset=utf-8"
        assert response["Content-Type"] == kind
        if api:
            assert response.json() == {
                "type": "about:blank",
                "title": "Service Unavailable",
                "status": 503,
                "detail": "The database cannot be asked. Try again in 30 seconds.",
                "instance": f"https://studio.example{request.address}",
            }


@pytest.mark.parametrize("public_request", REQUESTS_WITHOUT_CONTENT, ids=str)
def test_a_response_without_content_does_not_need_the_database(
    small_site: None, public_request: PublicRequest
) -> None:
    expected = send_request(public_request)
    with connection.execute_wrapper(fail):
        response = send_request(public_request)

    assert response.status_code == public_request.status
    assert (dict(response.headers), response.content) == (dict(expected.headers), expected.content)
    assert public_request.status == 204 or response["Content-Length"] == str(len(response.content))


def test_a_head_is_a_503_without_a_body(small_site: None) -> None:
    with connection.execute_wrapper(fail):
        response = Client(raise_request_exception=False).head("/api/v1/apps")

    assert (response.status_code, response.content, response["Retry-After"]) == (503, b"", "30")


RETIREMENT = {
    "announced": datetime(2026, 11, 1, tzinfo=UTC),
    "deprecation": datetime(2027, 1, 1, tzinfo=UTC),
    "sunset": datetime(2027, 6, 30, tzinfo=UTC),
}
VERSION_REQUESTS = [
    request for request in REQUESTS_WITHOUT_CONTENT if request.address.startswith("/api/v1")
]


def test_the_last_known_end_of_the_version_is_announced_without_a_database(
    small_site: None,
) -> None:
    factories.retire_version("v1", status="deprecated", **RETIREMENT)
    expected = {request: send_request(request).headers for request in VERSION_REQUESTS}
    with connection.execute_wrapper(fail):
        response = {request: send_request(request).headers for request in VERSION_REQUESTS}

    assert response == expected
    assert all("Deprecation" in headers for headers in response.values())


def test_a_process_that_never_read_the_versions_announces_nothing(small_site: None) -> None:
    factories.retire_version("v1", status="deprecated", **RETIREMENT)
    with connection.execute_wrapper(fail):
        response = [send_request(request) for request in VERSION_REQUESTS]

    assert all("Deprecation" not in each.headers for each in response)
    assert [each.status_code for each in response] == [
        request.status for request in VERSION_REQUESTS
    ]


def test_a_failed_query_for_versions_is_not_repeated_at_once(
    small_site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = PublicRequest(204, "/api/v1/apps", method="OPTIONS")
    queries = []

    def count(*query: Any) -> None:
        queries.append(query)
        fail()

    clock = lifecycle.monotonic()
    monkeypatch.setattr("api.lifecycle.monotonic", lambda: clock)
    with connection.execute_wrapper(count):
        for _ in range(5):
            send_request(request)
        assert len(queries) == 1
        later = clock + lifecycle.DATABASE_RETRY_SECONDS
        monkeypatch.setattr("api.lifecycle.monotonic", lambda: later)
        send_request(request)
    assert len(queries) == 2
