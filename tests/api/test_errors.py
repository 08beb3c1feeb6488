"""Every error below `/api/` is a problem, and says nothing of the inside."""

from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import Client

from tests import rows
from tests.api.conftest import Get
from tests.api.endpoints import API_ADDRESSES, BASE, ENDPOINTS, ROOT
from tests.api.makers import Content

pytestmark = pytest.mark.usefixtures("content")

UNKNOWN = (
    "/api/x",
    "/api/v2/apps",
    f"{BASE}/nope",
    f"{BASE}/apps/nope",
    f"{BASE}/apps/nope.json",
    f"{BASE}/posts/nope",
    f"{BASE}/apps/full-post",
    f"{BASE}/apps/Full-App",
    f"{BASE}/posts/FULL-POST",
    f"{BASE}/APPS",
    f"{BASE}/apps/full_app",
    f"{BASE}/apps/full-app/links",
    f"{BASE}/apps.xml",
    f"{BASE}/apps.json.json",
    f"{BASE}/index",
    f"{BASE}/health/x",
    f"{BASE}/openapi.json",
    f"{BASE}/posts/full-post.md",
)
MEMBERS = ["type", "title", "status", "detail", "instance"]


def assert_is_a_problem(answer: Any, status: HTTPStatus) -> None:
    problem = answer.json()

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert list(problem) == MEMBERS
    assert problem["status"] == status
    assert problem["title"] == status.phrase
    assert problem["type"] == "about:blank"
    assert problem["detail"]
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("address", UNKNOWN)
def test_an_unknown_address_is_a_problem(get: Get, address: str) -> None:
    answer = get(address)

    assert_is_a_problem(answer, HTTPStatus.NOT_FOUND)
    assert answer["Cache-Control"] == "max-age=60"
    assert answer["Content-Length"] == str(len(answer.content))


@pytest.mark.parametrize("address", UNKNOWN)
def test_the_instance_of_a_problem_is_the_address_that_failed(get: Get, address: str) -> None:
    problem = get(f"{address}?a=1&b=%20").json()

    assert problem["instance"] == f"{ROOT}{address}?a=1&b=%20"


@pytest.mark.parametrize(
    ("asked", "instance"),
    [
        ("/api/a%20b", "/api/a%20b"),
        ("/api/%C3%A9", "/api/%C3%A9"),
        ("/api/%00", "/api/%00"),
        ("/api/%ff", "/api/%FF"),
        ("/api/%3Cscript%3E", "/api/%3Cscript%3E"),
        ("/api/x?a=%zz", "/api/x?a=%25zz"),
        ("/api/x?a=[1]", "/api/x?a=%5B1%5D"),
    ],
)
def test_the_instance_of_a_problem_is_a_uri_whatever_was_asked(
    get: Get, asked: str, instance: str
) -> None:
    assert get(asked).json()["instance"] == ROOT + instance


def test_the_instance_of_a_problem_has_neither_credentials_nor_the_requests_host(get: Get) -> None:
    problem = get(f"{BASE}/nope", headers={"host": "testserver", "authorization": "Basic YTpi"})
    parts = urlsplit(problem.json()["instance"])

    assert parts.netloc == "studio.example"


@pytest.mark.parametrize(("path", "name"), [("/apps/nope", "nope"), ("/posts/nope", "nope")])
def test_the_detail_of_an_unknown_item_names_it_and_where_to_look(
    get: Get, path: str, name: str
) -> None:
    detail = get(BASE + path).json()["detail"]

    assert name in detail
    assert BASE + path.removesuffix(f"/{name}") in detail


@pytest.mark.parametrize("host", ["evil.example", "a b", "studio.example:port", "[", ""])
def test_a_host_of_somebody_else_is_a_problem(get: Get, host: str) -> None:
    for address in API_ADDRESSES:
        answer = get(address, headers={"host": host})

        assert_is_a_problem(answer, HTTPStatus.BAD_REQUEST)
        assert answer["Cache-Control"] == "no-store"
        assert "evil" not in answer.content.decode()


INSIDE = "catalogue_secret in /srv/secret.sqlite3"
FAULTS = [
    (RuntimeError(INSIDE), HTTPStatus.INTERNAL_SERVER_ERROR),
    (DataError(INSIDE), HTTPStatus.INTERNAL_SERVER_ERROR),
    (IntegrityError(INSIDE), HTTPStatus.INTERNAL_SERVER_ERROR),
    (DatabaseError(INSIDE), HTTPStatus.SERVICE_UNAVAILABLE),
    (OperationalError(INSIDE), HTTPStatus.SERVICE_UNAVAILABLE),
    (ProgrammingError(INSIDE), HTTPStatus.SERVICE_UNAVAILABLE),
    (InterfaceError(INSIDE), HTTPStatus.SERVICE_UNAVAILABLE),
]


def failing(get: Get, address: str, error: Exception) -> Any:
    """The answer while every query fails."""

    def fail(*arguments: Any) -> None:
        raise error

    with connection.execute_wrapper(fail):
        return get(address)


@pytest.mark.parametrize(("error", "status"), FAULTS, ids=lambda each: type(each).__name__)
@pytest.mark.usefixtures("retired")
def test_a_fault_of_ours_is_a_problem_without_a_word_of_the_inside(
    get: Get, error: Exception, status: HTTPStatus
) -> None:
    for address in (*(endpoint.example for endpoint in ENDPOINTS), "/openapi.json"):
        answer = failing(get, address, error)

        assert_is_a_problem(answer, status)
        assert answer["Cache-Control"] == "no-store"
        assert answer["Content-Length"] == str(len(answer.content))
        assert answer.get("Retry-After") == ("30" if status == 503 else None)
        assert not {"Deprecation", "Sunset", "Link"} & set(answer.headers)
        for word in ("secret", "Error:", "Traceback", ".py", "sqlite"):
            assert word not in answer.content.decode()


@pytest.mark.parametrize(("error", "status"), FAULTS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("address", ["/about", "/blog/full-post.md", "/llms.txt", "/admin/login/"])
def test_a_fault_of_ours_outside_the_api_is_markdown(
    get: Get, address: str, error: Exception, status: HTTPStatus
) -> None:
    if address.startswith("/admin/"):
        get = partial(get, headers={"cookie": f"sessionid={'x' * 32}"})
    answer = failing(get, address, error)

    assert answer.status_code == status
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Cache-Control"].partition(",")[0] == "no-store"
    assert answer.get("Retry-After") == ("30" if status == 503 else None)
    assert answer.content.decode().startswith(f"# {int(status)} {status.phrase}\n")
    assert "secret" not in answer.content.decode()


def test_health_tells_a_database_that_is_gone_from_a_fault_of_the_program(get: Get) -> None:
    gone = failing(get, f"{BASE}/health", OperationalError("no route to host"))
    faulty = failing(get, f"{BASE}/health", RuntimeError("a fault"))

    assert gone.json()["detail"] == "The database cannot be asked. Try again in 30 seconds."
    assert faulty.json()["detail"] == "The fault is ours. Try again later."


@pytest.mark.parametrize("path", ["/apiary", "/api-docs", "/apis/v1", "/openapi.jsonx", "/openapi"])
def test_an_address_that_only_begins_like_the_api_is_not_of_the_api(get: Get, path: str) -> None:
    answer = get(path)

    assert answer.status_code == 404
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "BREW", "get"])
def test_a_refused_method_of_the_openapi_document_is_a_problem(client: Client, method: str) -> None:
    answer = client.get("/openapi.json", REQUEST_METHOD=method)

    assert_is_a_problem(answer, HTTPStatus.METHOD_NOT_ALLOWED)


def test_a_condition_of_the_openapi_document_that_does_not_hold_is_a_problem(get: Get) -> None:
    answer = get("/openapi.json", headers={"if-match": '"x"'})

    assert_is_a_problem(answer, HTTPStatus.PRECONDITION_FAILED)


@pytest.fixture
def retired(content: Content) -> None:
    """A version whose end is announced; a fault must not ask the database for it."""
    rows.retire_version(
        "v1",
        status="deprecated",
        announced=datetime(2026, 11, 1, tzinfo=UTC),
        deprecation=datetime(2027, 1, 1, tzinfo=UTC),
        sunset=datetime(2027, 6, 30, tzinfo=UTC),
    )


LONG_AGO = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("condition", [{"if-match": '"x"'}, {"if-unmodified-since": LONG_AGO}])
def test_a_condition_that_does_not_hold_is_a_problem(get: Get, condition: dict[str, str]) -> None:
    for address in API_ADDRESSES:
        assert_is_a_problem(get(address, headers=condition), HTTPStatus.PRECONDITION_FAILED)
