"""While the database is gone: 503 for content, and the usual answer where none is needed."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from api import lifecycle
from tests import rows
from tests.freeze import makers
from tests.site.answers import Asked, answer, every_request, without_a_database

NEEDS_NOTHING = (
    Asked(204, "/api/v1/apps", method="OPTIONS"),
    Asked(204, "/api/v1/nope", method="OPTIONS"),
    Asked(204, "/about", method="OPTIONS"),
    Asked(308, "/api/v1/apps/"),
    Asked(308, "/about/"),
    Asked(308, "/about//"),
    Asked(404, "/api/v1/nope"),
    Asked(404, "/api/v2/"),
    Asked(404, "/nope"),
    Asked(405, "/api/v1/apps", method="POST"),
    Asked(405, "/openapi.json", method="DELETE"),
    Asked(405, "/about", method="POST"),
    Asked(400, "/api/v1/apps", headers={"host": "evil.example"}),
)
"""Requests whose answers are made of no content."""


@pytest.fixture(autouse=True)
def _nothing_read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_mirror.delivery.ANNOUNCEMENT", lifecycle.Announcement())


@pytest.fixture
def small_site(db: None) -> None:
    makers.make_site()


def gone(*query: Any) -> None:
    raise OperationalError("could not connect to server")


def test_every_document_is_unavailable(small_site: None) -> None:
    for asked in every_request():
        if asked.status != 200:
            continue
        cache.clear()
        found = without_a_database(asked.address)
        api = asked.address == "/openapi.json" or asked.address.startswith("/api/")
        assert found.status_code == 503, asked
        assert found["Retry-After"] == "30"
        assert found["Cache-Control"] == "no-store"
        assert found["Content-Length"] == str(len(found.content))
        kind = "application/problem+json" if api else "text/markdown; charset=utf-8"
        assert found["Content-Type"] == kind
        if api:
            assert found.json() == {
                "type": "about:blank",
                "title": "Service Unavailable",
                "status": 503,
                "detail": "The database cannot be asked. Try again in 30 seconds.",
                "instance": f"https://studio.example{asked.address}",
            }


@pytest.mark.parametrize("asked", NEEDS_NOTHING, ids=str)
def test_what_needs_no_content_is_answered_as_ever(small_site: None, asked: Asked) -> None:
    usual = answer(asked)
    with connection.execute_wrapper(gone):
        found = answer(asked)

    assert found.status_code == asked.status
    assert (dict(found.headers), found.content) == (dict(usual.headers), usual.content)
    assert asked.status == 204 or found["Content-Length"] == str(len(found.content))


def test_a_head_is_unavailable_without_a_body(small_site: None) -> None:
    with connection.execute_wrapper(gone):
        found = Client(raise_request_exception=False).head("/api/v1/apps")

    assert (found.status_code, found.content, found["Retry-After"]) == (503, b"", "30")


RETIREMENT = {
    "announced": datetime(2026, 11, 1, tzinfo=UTC),
    "deprecation": datetime(2027, 1, 1, tzinfo=UTC),
    "sunset": datetime(2027, 6, 30, tzinfo=UTC),
}
NO_CONTENT = [asked for asked in NEEDS_NOTHING if asked.address.startswith("/api/v1")]


def test_the_end_of_the_version_is_announced_as_it_was_last_known(small_site: None) -> None:
    rows.retire_version("v1", status="deprecated", **RETIREMENT)
    usual = {asked: answer(asked).headers for asked in NO_CONTENT}
    with connection.execute_wrapper(gone):
        found = {asked: answer(asked).headers for asked in NO_CONTENT}

    assert found == usual
    assert all("Deprecation" in headers for headers in found.values())


def test_a_process_that_never_read_the_versions_announces_nothing(small_site: None) -> None:
    rows.retire_version("v1", status="deprecated", **RETIREMENT)
    with connection.execute_wrapper(gone):
        found = [answer(asked) for asked in NO_CONTENT]

    assert all("Deprecation" not in each.headers for each in found)
    assert [each.status_code for each in found] == [asked.status for asked in NO_CONTENT]


def test_a_database_that_failed_is_not_asked_again_at_once(
    small_site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(204, "/api/v1/apps", method="OPTIONS")
    queries = []

    def count(*query: Any) -> None:
        queries.append(query)
        gone()

    clock = lifecycle.monotonic()
    monkeypatch.setattr("api.lifecycle.monotonic", lambda: clock)
    with connection.execute_wrapper(count):
        for _ in range(5):
            answer(asked)
        assert len(queries) == 1
        monkeypatch.setattr("api.lifecycle.monotonic", lambda: clock + lifecycle.PAUSE)
        answer(asked)
    assert len(queries) == 2
