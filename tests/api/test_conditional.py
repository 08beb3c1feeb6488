"""Validators and conditional requests of the API."""

from typing import Any

import pytest
import time_machine

from catalogue.models import App
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, DOCUMENTS, each_address
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("db", "stored_content")

REPEATED_HEADERS = ("etag", "vary", "cache-control", "cdn-cache-control", "last-modified")
DISTANT_PAST = "Sun, 06 Nov 1994 08:49:37 GMT"
FAR_FUTURE = "Fri, 31 Dec 2100 23:59:59 GMT"


def get_all(addresses: tuple[str, ...], **environ: Any) -> dict[str, Answer]:
    return {address: call_application("GET", address, **environ) for address in addresses}


TAG_FORMS = {
    "alone": "{0}",
    "weak": "W/{0}",
    "in front of a list": '{0}, "another"',
    "at the end of a list": '"another", W/"third", {0}',
    "anything": "*",
}
"""Forms of `If-None-Match` that match a validator."""


def test_a_document_has_a_strong_validator_and_a_moment(stored_answers: Answers) -> None:
    for answer in stored_answers.values():
        assert answer["ETag"].startswith('"')
        assert answer["ETag"].endswith('"')
        assert answer["Last-Modified"].endswith(" GMT")


def test_documents_with_different_bytes_have_different_validators(stored_answers: Answers) -> None:
    by_body = {answer.content: answer["ETag"] for answer in stored_answers.values()}

    assert len(set(by_body.values())) == len(by_body)


@each_address
@pytest.mark.parametrize("form", TAG_FORMS.values(), ids=TAG_FORMS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_matching_validator_gets_a_304(
    stored_answers: Answers, addresses: tuple[str, ...], method: str, form: str
) -> None:
    for address in addresses:
        etags = form.format(stored_answers[address]["ETag"])
        answer = call_application(method, address, HTTP_IF_NONE_MATCH=etags)

        assert (answer.status, answer.body) == (304, b"")


@each_address
@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_matching_validator_of_a_variant_gets_a_304(
    addresses: tuple[str, ...], encoding: str
) -> None:
    for address, known in get_all(addresses, HTTP_ACCEPT_ENCODING=encoding).items():
        etag = known.headers["etag"]
        answer = call_application(
            "GET", address, HTTP_ACCEPT_ENCODING=encoding, HTTP_IF_NONE_MATCH=etag
        )

        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["etag"] == etag


def test_a_304_has_the_headers_for_caches_and_none_about_a_body() -> None:
    for address, known in get_all(ADDRESSES).items():
        answer = call_application("GET", address, HTTP_IF_NONE_MATCH=known.headers["etag"])
        expected = {name: known.headers.get(name) for name in REPEATED_HEADERS}

        assert {name: answer.headers.get(name) for name in REPEATED_HEADERS} == expected
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "content-length" not in answer.headers
        assert "content-type" not in answer.headers
        assert "content-encoding" not in answer.headers
        assert "content-language" not in answer.headers


@each_address
@pytest.mark.parametrize(
    "etag", ['"another"', 'W/"another"', "unquoted", '"', "W/", '""', ",", "\\", "é"]
)
def test_another_or_malformed_validator_gets_a_200(
    get: Get, addresses: tuple[str, ...], etag: str
) -> None:
    for address in addresses:
        assert get(address, headers={"if-none-match": etag}).status_code == 200


@each_address
@pytest.mark.parametrize(
    ("since", "status"),
    [
        (DISTANT_PAST, 200),
        (FAR_FUTURE, 304),
        ("yesterday", 200),
        ("", 200),
        ("0", 200),
        ("Sun, 99 Nov 1994 08:49:37 GMT", 200),
        ("2026-11-01T00:00:00Z", 200),
    ],
)
def test_an_invalid_date_is_ignored(
    get: Get, addresses: tuple[str, ...], since: str, status: int
) -> None:
    for address in addresses:
        assert get(address, headers={"if-modified-since": since}).status_code == status


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_moment_of_the_last_change_gets_a_304(stored_answers: Answers, method: str) -> None:
    for address in DOCUMENTS:
        known = stored_answers[address]
        answer = call_application(method, address, HTTP_IF_MODIFIED_SINCE=known["Last-Modified"])

        assert (answer.status, answer.body) == (304, b"")


def test_a_validator_outranks_a_date(stored_answers: Answers, get: Get) -> None:
    for address in DOCUMENTS:
        known = stored_answers[address]
        other = {"if-none-match": '"another"', "if-modified-since": known["Last-Modified"]}
        same = {"if-none-match": known["ETag"], "if-modified-since": DISTANT_PAST}

        assert get(address, headers=other).status_code == 200
        assert get(address, headers=same).status_code == 304


def test_an_error_has_no_validator(get: Get) -> None:
    answer = get(f"{BASE}/nope", headers={"if-none-match": "*"})

    assert answer.status_code == 404
    assert "ETag" not in answer


def test_an_edit_changes_the_validators_of_its_documents_only(get: Get) -> None:
    before = {address: get(address)["ETag"] for address in API_ADDRESSES}
    App.objects.filter(slug="full-app").update(name="Another Name")
    after = {address: get(address)["ETag"] for address in API_ADDRESSES}
    changed = {address for address in API_ADDRESSES if before[address] != after[address]}

    assert changed == {
        f"{BASE}/apps",
        f"{BASE}/apps.json",
        f"{BASE}/apps/full-app",
        f"{BASE}/apps/full-app.json",
    }


@each_address
def test_the_moment_is_that_of_the_last_edit(get: Get, addresses: tuple[str, ...]) -> None:
    for address in addresses:
        with time_machine.travel("2026-06-01T00:00:00Z", tick=False):
            earlier = get(address)["Last-Modified"]
        with time_machine.travel("2026-07-01T00:00:00Z", tick=False):
            later = get(address)["Last-Modified"]

        assert earlier == later
