"""Validators, and what a request that names one gets."""

from typing import Any

import pytest
import time_machine

from catalogue.models import App
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE
from tests.api.wire import Answer, call

KEPT = ("etag", "vary", "cache-control", "cdn-cache-control", "last-modified")
LONG_AGO = "Sun, 06 Nov 1994 08:49:37 GMT"
FAR_AHEAD = "Fri, 31 Dec 2100 23:59:59 GMT"


def validators(**environ: Any) -> dict[str, Answer]:
    return {address: call("GET", address, **environ) for address in ADDRESSES}


FORMS = {
    "alone": "{0}",
    "weak": "W/{0}",
    "in front of a list": '{0}, "another"',
    "at the end of a list": '"another", W/"third", {0}',
    "anything": "*",
}
"""Every form in which a client may name what it has."""


def test_a_document_has_a_strong_validator_and_a_moment(answers: Answers) -> None:
    for answer in answers.values():
        assert answer["ETag"].startswith('"')
        assert answer["ETag"].endswith('"')
        assert answer["Last-Modified"].endswith(" GMT")


def test_documents_with_different_bytes_have_different_validators(answers: Answers) -> None:
    by_body = {answer.content: answer["ETag"] for answer in answers.values()}

    assert len(set(by_body.values())) == len(by_body)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.usefixtures("content")
def test_what_a_client_has_is_not_sent_again(answers: Answers, method: str, form: str) -> None:
    for address, known in answers.items():
        answer = call(method, address, HTTP_IF_NONE_MATCH=form.format(known["ETag"]))

        assert (answer.status, answer.body) == (304, b"")


@pytest.mark.parametrize("encoding", ["gzip", "br"])
@pytest.mark.usefixtures("content")
def test_a_variant_that_a_client_has_is_not_sent_again(encoding: str) -> None:
    for address, known in validators(HTTP_ACCEPT_ENCODING=encoding).items():
        etag = known.headers["etag"]
        answer = call("GET", address, HTTP_ACCEPT_ENCODING=encoding, HTTP_IF_NONE_MATCH=etag)

        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["etag"] == etag


@pytest.mark.usefixtures("content")
def test_a_304_repeats_what_caches_need_and_says_nothing_of_a_body() -> None:
    for address, known in validators().items():
        answer = call("GET", address, HTTP_IF_NONE_MATCH=known.headers["etag"])
        kept = {name: known.headers.get(name) for name in KEPT}

        assert {name: answer.headers.get(name) for name in KEPT} == kept
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "content-length" not in answer.headers
        assert "content-type" not in answer.headers
        assert "content-encoding" not in answer.headers
        assert "content-language" not in answer.headers


@pytest.mark.parametrize(
    "etag", ['"another"', 'W/"another"', "unquoted", '"', "W/", '""', ",", "\\", "é"]
)
@pytest.mark.usefixtures("content")
def test_another_or_malformed_validator_gets_the_document(get: Get, etag: str) -> None:
    for address in ADDRESSES:
        assert get(address, headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize(
    ("since", "status"),
    [
        (LONG_AGO, 200),
        (FAR_AHEAD, 304),
        ("yesterday", 200),
        ("", 200),
        ("0", 200),
        ("Sun, 99 Nov 1994 08:49:37 GMT", 200),
        ("2026-11-01T00:00:00Z", 200),
    ],
)
@pytest.mark.usefixtures("content")
def test_a_date_decides_only_if_it_is_one(get: Get, since: str, status: int) -> None:
    for address in ADDRESSES:
        assert get(address, headers={"if-modified-since": since}).status_code == status


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_moment_of_the_last_change_is_not_sent_again(current: Answers, method: str) -> None:
    for address, known in current.items():
        answer = call(method, address, HTTP_IF_MODIFIED_SINCE=known["Last-Modified"])

        assert (answer.status, answer.body) == (304, b"")


def test_a_validator_outranks_a_date(current: Answers, get: Get) -> None:
    for address, known in current.items():
        other = {"if-none-match": '"another"', "if-modified-since": known["Last-Modified"]}
        same = {"if-none-match": known["ETag"], "if-modified-since": LONG_AGO}

        assert get(address, headers=other).status_code == 200
        assert get(address, headers=same).status_code == 304


def test_an_error_has_no_validator(get: Get, content: object) -> None:
    answer = get(f"{BASE}/nope", headers={"if-none-match": "*"})

    assert answer.status_code == 404
    assert "ETag" not in answer


@pytest.mark.usefixtures("content")
def test_an_edit_changes_the_validator_and_only_of_what_it_changes(get: Get) -> None:
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


@pytest.mark.usefixtures("content")
def test_the_moment_is_that_of_the_last_edit(get: Get) -> None:
    for address in ADDRESSES:
        with time_machine.travel("2026-06-01T00:00:00Z", tick=False):
            earlier = get(address)["Last-Modified"]
        with time_machine.travel("2026-07-01T00:00:00Z", tick=False):
            later = get(address)["Last-Modified"]

        assert earlier == later
