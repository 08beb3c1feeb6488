"""`Accept` and the query do not change a response of the API."""

import pytest

from tests.api.conftest import Answers, Get
from tests.api.endpoints import BASE, OPENAPI, SAMPLE

pytestmark = pytest.mark.usefixtures("db", "stored_content")

ACCEPTS = (
    "",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
    "text/markdown",
    "application/problem+json",
    "application/json;q=0",
    "application/json;indent=4",
    "application/vnd.oai.openapi+yaml",
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
    "a=%00&b=%ff&%zz",
    "\x00\xff",
    "a\r\nX-In: 1",
    "a=<script>",
    "x" * 8192,
)


@pytest.mark.parametrize(
    ("accept", "query"),
    [*((accept, "") for accept in ACCEPTS), *(("*/*", query) for query in QUERIES)],
    ids=lambda each: ascii(each)[:40],
)
def test_accept_and_query_change_no_response(
    get: Get, stored_answers: Answers, accept: str, query: str
) -> None:
    headers = {"accept": accept}
    for address in (*SAMPLE, OPENAPI):
        plain = stored_answers[address]
        answer = get(address, headers=headers, QUERY_STRING=query)

        assert (answer.status_code, answer.content) == (200, plain.content)
        assert dict(answer.headers) == dict(plain.headers)
    unknown = get(f"{BASE}/nope", headers=headers, QUERY_STRING=query)
    assert unknown.status_code == 404
    assert unknown["Content-Type"] == "application/problem+json"
    assert unknown.content.isascii()
    assert b"<" not in unknown.content
