"""`Accept`, the query and other headers do not change a response of the API."""

from typing import Any

import pytest

from tests.api.conftest import Answers, Get
from tests.api.endpoints import BASE, OPENAPI, each_address

pytestmark = pytest.mark.usefixtures("db", "stored_content")

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


def assert_same(answer: Any, plain: Any) -> None:
    assert (answer.status_code, answer.content) == (200, plain.content)
    assert dict(answer.headers) == dict(plain.headers)


@each_address
@pytest.mark.parametrize("accept", ACCEPTS)
def test_accept_changes_no_response(
    get: Get, stored_answers: Answers, addresses: tuple[str, ...], accept: str
) -> None:
    for address in addresses:
        assert_same(get(address, headers={"accept": accept}), stored_answers[address])


@each_address
@pytest.mark.parametrize("query", QUERIES)
def test_the_query_changes_no_response(
    get: Get, stored_answers: Answers, addresses: tuple[str, ...], query: str
) -> None:
    for address in addresses:
        assert_same(get(address, QUERY_STRING=query), stored_answers[address])


HEADERS = {
    "accept-language": "vi",
    "cookie": "sessionid=x; csrftoken=y; django_language=vi",
    "authorization": "Bearer x",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "range": "bytes=0-3",
    "user-agent": "curl/8",
    "x-requested-with": "XMLHttpRequest",
}


@each_address
@pytest.mark.parametrize("name", HEADERS)
def test_no_other_header_changes_a_response(
    get: Get, stored_answers: Answers, addresses: tuple[str, ...], name: str
) -> None:
    for address in addresses:
        assert_same(get(address, headers={name: HEADERS[name]}), stored_answers[address])


def test_nothing_changes_the_openapi_document(get: Get, stored_answers: Answers) -> None:
    headers = HEADERS | {"accept": "application/vnd.oai.openapi+yaml"}
    answer = get(OPENAPI, headers=headers, QUERY_STRING="format=xml&lang=vi")

    assert_same(answer, stored_answers[OPENAPI])


@pytest.mark.parametrize("accept", ACCEPTS)
def test_an_error_is_a_problem_for_any_accept(get: Get, accept: str) -> None:
    answer = get(f"{BASE}/nope", headers={"accept": accept})

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
