"""Validators and conditional requests of the API."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from api.headers import http_date
from catalogue.models import App
from catalogue.triggers import revision
from tests.api.conftest import Answers, Get
from tests.api.endpoints import API_ADDRESSES, BASE, DOCUMENTS, SAMPLE
from tests.api.wsgi_client import call_application
from tests.revisions import date_changes

pytestmark = pytest.mark.usefixtures("db", "stored_content")

DAY = timedelta(days=1)
DISTANT_PAST = "Sun, 06 Nov 1994 08:49:37 GMT"
FAR_FUTURE = "Fri, 31 Dec 2100 23:59:59 GMT"

CONDITIONS = [
    ("HTTP_IF_NONE_MATCH", "{ETag}", 304),
    ("HTTP_IF_NONE_MATCH", '"another", W/"third", {ETag}', 304),
    ("HTTP_IF_NONE_MATCH", '"another"', 200),
    ("HTTP_IF_NONE_MATCH", "unquoted", 200),
    ("HTTP_IF_NONE_MATCH", "é", 200),
    ("HTTP_IF_MODIFIED_SINCE", "{Last-Modified}", 304),
    ("HTTP_IF_MODIFIED_SINCE", FAR_FUTURE, 200),
    ("HTTP_IF_MODIFIED_SINCE", DISTANT_PAST, 200),
    ("HTTP_IF_MODIFIED_SINCE", "yesterday", 200),
    ("HTTP_IF_MODIFIED_SINCE", "", 200),
    ("HTTP_IF_MODIFIED_SINCE", "Sun, 99 Nov 1994 08:49:37 GMT", 200),
]


def test_a_document_has_a_strong_validator_of_its_bytes_and_a_moment(
    stored_answers: Answers,
) -> None:
    by_body = {answer.content: answer["ETag"] for answer in stored_answers.values()}

    assert len(set(by_body.values())) == len(by_body)
    for answer in stored_answers.values():
        assert answer["ETag"][0] == answer["ETag"][-1] == '"'
        assert answer["Last-Modified"].endswith(" GMT")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(("name", "form", "status"), CONDITIONS)
def test_a_condition_that_names_the_document_is_a_304(
    stored_answers: Answers, method: str, name: str, form: str, status: int
) -> None:
    for address in SAMPLE:
        condition = form.format_map(stored_answers[address].headers)
        answer = call_application(method, address, **{name: condition})

        assert answer.status == status
        assert status == 200 or answer.body == b""


def test_a_validator_outranks_a_date(stored_answers: Answers, get: Get) -> None:
    for address in DOCUMENTS:
        known = stored_answers[address]
        other = {"if-none-match": '"another"', "if-modified-since": known["Last-Modified"]}
        same = {"if-none-match": known["ETag"], "if-modified-since": DISTANT_PAST}

        assert get(address, headers=other).status_code == 200
        assert get(address, headers=same).status_code == 304


def change_public_content(moment: datetime) -> None:
    """Save an app, as if the clock had been at a moment."""
    App.objects.filter(slug="full-app").update(name=f"Named at {moment}")
    date_changes(moment)


def test_a_date_of_a_response_is_in_the_past_and_never_that_of_another_body(get: Get) -> None:
    """A second save within a second, a clock that goes back, and a restored backup."""
    now = timezone.now()
    moments = [now - timedelta(seconds=each) for each in (0.9, 0.2, -60, 600, 300, 602)]
    addresses = (f"{BASE}/apps", "/apps/full-app", "/apps/full-app.md", "/llms.txt")
    with time_machine.travel(now, tick=False):
        seen: dict[str, dict[str, bytes]] = {address: {} for address in addresses}
        for moment in moments:
            change_public_content(moment)
            for address in addresses:
                answer, known = get(address), seen[address]
                dates = [http_date(now), http_date(now - DAY), http_date(now + DAY), *known]
                asked = [get(address, headers={"if-modified-since": date}) for date in dates]

                assert [each.status_code for each in asked] == [200] * len(dates)
                assert answer.get("Last-Modified") not in known
                if moment > now - timedelta(seconds=1):
                    assert "Last-Modified" not in answer
                    precondition = {"if-unmodified-since": DISTANT_PAST}
                    assert get(address, headers=precondition).status_code == 200
                else:
                    date = answer["Last-Modified"]
                    known[date] = answer.content
                    assert get(address, headers={"if-modified-since": date}).status_code == 304


def test_a_date_from_before_the_process_started_fits_no_document(
    get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its program or its settings, such as the time zone, may be others."""
    before = get(f"{BASE}/posts")["Last-Modified"]
    monkeypatch.setattr(revision, "STARTED", timezone.now() - timedelta(seconds=2))
    answer = get(f"{BASE}/posts", headers={"if-modified-since": before})

    assert (answer.status_code, answer["Last-Modified"] == before) == (200, False)


def test_an_error_has_no_validator(get: Get) -> None:
    answer = get(f"{BASE}/nope", headers={"if-none-match": "*"})

    assert answer.status_code == 404
    assert "ETag" not in answer


def test_an_edit_changes_the_validators_of_its_documents_only(get: Get) -> None:
    before = {address: get(address)["ETag"] for address in API_ADDRESSES}
    App.objects.filter(slug="full-app").update(name="Another Name")

    changed = {address for address in API_ADDRESSES if before[address] != get(address)["ETag"]}

    changed_documents = (f"{BASE}/apps", f"{BASE}/apps/full-app")
    assert changed == {f"{each}{end}" for each in changed_documents for end in ("", ".json")}


def test_bodies_and_moments_depend_on_edits_and_not_on_the_time(get: Get) -> None:
    for address in DOCUMENTS:
        found = []
        for moment in ("2026-06-01T00:00:00Z", "2027-05-01T12:00:00Z", "2036-01-01T00:00:00Z"):
            with time_machine.travel(moment, tick=False):
                answer = get(address)
            found.append((answer.content, answer["ETag"], answer["Last-Modified"]))

        assert len(set(found)) == 1
