"""`Accept`, the query and other headers do not change a response of the API."""

import pytest

from tests.api.conftest import Answers, Get
from tests.api.endpoints import BASE

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
ACCEPTS = (
    "",
    "*/*",
    BROWSER,
    "text/html",
    "text/markdown",
    "application/xml",
    "application/problem+json",
    "application/json;q=0",
    "application/json;indent=4",
    "application/vnd.oai.openapi+yaml",
    "image/png",
    ";;",
    "text/html;q=abc",
    "a/b/c, /, */x;q=9",
    "\x7f",
)
QUERIES = (
    "x=1",
    "format=xml",
    "format=api",
    "page=2",
    "limit=1&offset=1",
    "lang=vi",
    "search=a",
    "a=%00&b=%ff&%zz",
    "[]",
)


@pytest.mark.parametrize("accept", ACCEPTS)
def test_accept_changes_no_response(get: Get, current: Answers, accept: str) -> None:
    for address, plain in current.items():
        answer = get(address, headers={"accept": accept})

        assert answer.status_code == 200
        assert answer.content == plain.content
        assert dict(answer.headers) == dict(plain.headers)


@pytest.mark.parametrize("query", QUERIES)
def test_the_query_changes_no_response(get: Get, current: Answers, query: str) -> None:
    for address, plain in current.items():
        answer = get(address, QUERY_STRING=query)

        assert answer.status_code == 200
        assert answer.content == plain.content
        assert dict(answer.headers) == dict(plain.headers)


@pytest.mark.parametrize(
    "headers",
    [
        {"accept-language": "vi"},
        {"cookie": "sessionid=x; csrftoken=y; django_language=vi"},
        {"authorization": "Bearer x"},
        {"x-forwarded-host": "evil.example"},
        {"x-forwarded-proto": "http"},
        {"range": "bytes=0-3"},
        {"user-agent": "curl/8"},
        {"x-requested-with": "XMLHttpRequest"},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_no_other_header_changes_a_response(
    get: Get, current: Answers, headers: dict[str, str]
) -> None:
    for address, plain in current.items():
        answer = get(address, headers=headers)

        assert (answer.status_code, answer.content) == (200, plain.content)
        assert dict(answer.headers) == dict(plain.headers)


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.usefixtures("content")
def test_an_error_is_a_problem_for_any_accept(get: Get, accept: str) -> None:
    answer = get(f"{BASE}/nope", headers={"accept": accept})

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
