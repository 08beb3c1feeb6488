"""The API is read-only: responses to HEAD, OPTIONS and all other methods."""

import pytest
from django.test import Client

from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, BASE, DOCUMENTS
from tests.revisions import read_revision_number

pytestmark = pytest.mark.usefixtures("db", "stored_content")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "get"])
def test_another_method_is_a_problem_with_allow_and_changes_nothing(
    client: Client, get: Get, stored_answers: Answers, method: str
) -> None:
    number = read_revision_number()
    for address in (*ADDRESSES, f"{BASE}/nope"):
        answer = client.generic(
            "POST", address, b'{"x":1}', content_type="application/json", REQUEST_METHOD=method
        )

        assert answer.status_code == 405
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["Allow"] == "GET, HEAD, OPTIONS"
        assert answer["Cache-Control"] == "max-age=60"
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert (answer.json()["status"], answer.json()["title"]) == (405, "Method Not Allowed")
    assert read_revision_number() == number
    for address in DOCUMENTS:
        again = get(address)
        assert again.content == stored_answers[address].content
        assert dict(again.headers) == dict(stored_answers[address].headers)


@pytest.mark.parametrize("name", ["x-http-method-override", "x-http-method", "x-method-override"])
def test_a_header_does_not_override_the_method(client: Client, name: str) -> None:
    assert client.get(f"{BASE}/apps", headers={name: "DELETE"}).status_code == 200
    strict = Client(enforce_csrf_checks=True, headers={"host": "studio.example"})
    form = strict.post(f"{BASE}/apps", {"_method": "GET"}, headers={name: "GET"})
    assert form.status_code == 405
    assert form["Content-Type"] == "application/problem+json"
