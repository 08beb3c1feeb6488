"""Errors below `/api/` are problem documents without internal details."""

from functools import partial
from http import HTTPStatus
from typing import Any

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

from tests import factories
from tests.api import full_content
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, DOCUMENTS, ROOT

pytestmark = pytest.mark.usefixtures("content")

UNKNOWN_ADDRESSES = (
    "/api",
    "/api/x",
    "/api/v2/apps",
    f"{BASE}/nope",
    f"{BASE}/apps/nope.json",
    f"{BASE}/apps/full-post",
    f"{BASE}/apps/Full-App",
    f"{BASE}/APPS",
    f"{BASE}/apps/full_app",
    f"{BASE}/apps/full-app/links",
    f"{BASE}/apps.json.json",
    f"{BASE}/index",
    f"{BASE}/openapi.json",
)
PROBLEM_MEMBERS = ["type", "title", "status", "detail", "instance"]


def assert_is_a_problem(answer: Any, status: HTTPStatus) -> None:
    problem = answer.json()

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert list(problem) == PROBLEM_MEMBERS
    assert problem["status"] == status
    assert problem["title"] == status.phrase
    assert problem["type"] == "about:blank"
    assert problem["detail"]
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("address", UNKNOWN_ADDRESSES)
def test_an_unknown_address_is_a_problem(get: Get, address: str) -> None:
    answer = get(f"{address}?a=1&b=%20", headers={"host": "testserver"})

    assert_is_a_problem(answer, HTTPStatus.NOT_FOUND)
    assert answer["Cache-Control"] == "max-age=60"
    assert answer["Content-Length"] == str(len(answer.content))
    assert answer.json()["instance"] == f"{ROOT}{address}?a=1&b=%20"


@pytest.mark.parametrize(
    ("path", "instance"),
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
def test_the_instance_of_a_problem_is_a_valid_uri(get: Get, path: str, instance: str) -> None:
    assert get(path).json()["instance"] == ROOT + instance


@pytest.mark.parametrize("path", [f"{BASE}/apps", f"{BASE}/posts"])
def test_the_detail_of_an_unknown_item_names_it_and_its_list(get: Get, path: str) -> None:
    detail = get(f"{path}/nope").json()["detail"]

    assert "“nope”" in detail
    assert path in detail


@pytest.mark.parametrize("host", ["evil.example", "a b", "studio.example:port", "[", ""])
def test_a_wrong_host_is_a_problem(get: Get, host: str) -> None:
    for address in sorted({*API_ADDRESSES} - {f"{BASE}/health"}):
        answer = get(address, headers={"host": host})

        assert_is_a_problem(answer, HTTPStatus.BAD_REQUEST)
        assert answer["Cache-Control"] == "no-store"
        assert "evil" not in answer.content.decode()
    # The server ends no response without a length.
    assert get("/admin/", headers={"host": host})["Content-Length"] != "0"
    # A load balancer asks for the health of a machine by its address.
    assert get(f"{BASE}/health", headers={"host": host}).status_code == HTTPStatus.OK


DETAILS = {
    HTTPStatus.INTERNAL_SERVER_ERROR: "The fault is ours. Try again later.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database is unavailable. Try again in 30 seconds.",
}
INTERNAL_TEXT = "catalogue_secret in /srv/secret.sqlite3"
FAULTS = [
    (RuntimeError(INTERNAL_TEXT), HTTPStatus.INTERNAL_SERVER_ERROR),
    (DataError(INTERNAL_TEXT), HTTPStatus.INTERNAL_SERVER_ERROR),
    (IntegrityError(INTERNAL_TEXT), HTTPStatus.INTERNAL_SERVER_ERROR),
    (DatabaseError(INTERNAL_TEXT), HTTPStatus.SERVICE_UNAVAILABLE),
    (OperationalError(INTERNAL_TEXT), HTTPStatus.SERVICE_UNAVAILABLE),
    (ProgrammingError(INTERNAL_TEXT), HTTPStatus.SERVICE_UNAVAILABLE),
    (InterfaceError(INTERNAL_TEXT), HTTPStatus.SERVICE_UNAVAILABLE),
]


def get_while_queries_fail(get: Get, address: str, error: Exception) -> Any:
    """Get an address while all queries fail."""

    def fail(*arguments: Any) -> None:
        raise error

    with connection.execute_wrapper(fail):
        return get(address)


@pytest.mark.parametrize(("error", "status"), FAULTS, ids=lambda each: type(each).__name__)
def test_a_server_error_is_a_problem_without_internal_details(
    get: Get, error: Exception, status: HTTPStatus
) -> None:
    # The end of a version must not be read from the database, either.
    factories.retire_version("v1", status="deprecated", **full_content.ANNOUNCEMENT)
    for address in DOCUMENTS:
        answer = get_while_queries_fail(get, address, error)

        assert_is_a_problem(answer, status)
        assert answer["Cache-Control"] == "no-store"
        assert answer["Content-Length"] == str(len(answer.content))
        assert answer.get("Retry-After") == ("30" if status == 503 else None)
        assert answer.json()["detail"] == DETAILS[status]
        assert not {"Deprecation", "Sunset", "Link"} & set(answer.headers)
        for word in ("secret", "Error:", "Traceback", ".py", "sqlite"):
            assert word not in answer.content.decode()


@pytest.mark.parametrize("address", ["/about", "/blog/full-post.md"])
@pytest.mark.parametrize(("error", "status"), FAULTS, ids=lambda each: type(each).__name__)
def test_a_server_error_outside_the_api_is_markdown(
    get: Get, address: str, error: Exception, status: HTTPStatus
) -> None:
    get = partial(get, headers={"cookie": f"sessionid={'x' * 32}"})
    answer = get_while_queries_fail(get, address, error)

    assert answer.status_code == status
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Cache-Control"].partition(",")[0] == "no-store"
    assert answer.get("Retry-After") == ("30" if status == 503 else None)
    assert answer.content.decode().startswith(f"# {int(status)} {status.phrase}\n")
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize("path", ["/apiary", "/api-docs", "/apis/v1", "/openapi.jsonx", "/openapi"])
def test_an_address_with_a_similar_prefix_is_outside_the_api(get: Get, path: str) -> None:
    answer = get(path)

    assert answer.status_code == 404
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"


DISTANT_PAST = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("condition", [{"if-match": '"x"'}, {"if-unmodified-since": DISTANT_PAST}])
def test_a_failed_precondition_is_a_problem(get: Get, condition: dict[str, str]) -> None:
    for address in ADDRESSES:
        assert_is_a_problem(get(address, headers=condition), HTTPStatus.PRECONDITION_FAILED)
