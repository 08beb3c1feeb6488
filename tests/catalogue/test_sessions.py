"""Sessions of editors end on the server: after 12 hours, and after 2 hours without a request."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

pytestmark = pytest.mark.django_db

ADMIN = "/admin/"
MOMENT = datetime(2027, 1, 4, 8, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def desk(client: Client) -> Client:
    """A browser that forgets no cookie, however old."""
    user = User.objects.create_superuser("linh")
    with time_machine.travel(MOMENT, tick=False):
        client.force_login(user)
    for cookie in client.cookies.values():
        cookie["max-age"] = cookie["expires"] = ""
    return client


def at(desk: Client, **later: int) -> int:
    """The status of the overview so much later than the log-in: 302 leads to log-in."""
    kept = {name: cookie.value for name, cookie in desk.cookies.items()}
    with time_machine.travel(MOMENT + timedelta(**later), tick=False):
        answer = Client(headers={"cookie": "; ".join(f"{n}={v}" for n, v in kept.items())})
        return answer.get(ADMIN).status_code


def test_a_session_ends_after_two_idle_hours(desk: Client) -> None:
    assert at(desk, minutes=119) == 200
    assert at(desk, minutes=119 + 119) == 200
    assert at(desk, minutes=119 + 119 + 121) == 302


def test_a_session_that_is_never_used_ends_as_well(desk: Client) -> None:
    assert at(desk, minutes=121) == 302


def test_a_session_in_use_ends_after_twelve_hours(desk: Client) -> None:
    assert {at(desk, hours=hour) for hour in range(1, 12)} == {200}
    assert at(desk, hours=11, minutes=59) == 200
    assert at(desk, hours=12, minutes=1) == 302


def test_a_session_of_an_older_version_gets_both_ends(desk: Client) -> None:
    """It was stored for 14 days, and does not say when it began."""
    with time_machine.travel(MOMENT, tick=False):
        session = desk.session
        del session["began"]
        session.set_expiry(14 * 24 * 3600)
        session.save()

    assert {at(desk, hours=hour) for hour in range(1, 12)} == {200}
    assert at(desk, hours=14) == 302


def test_a_second_log_in_begins_anew(desk: Client) -> None:
    at(desk, hours=1)
    with time_machine.travel(MOMENT + timedelta(hours=2), tick=False):
        desk.force_login(User.objects.get())

    assert {at(desk, hours=hour) for hour in range(3, 14)} == {200}
    assert at(desk, hours=14, minutes=1) == 302


def test_the_stored_session_has_the_end(desk: Client) -> None:
    at(desk, minutes=30)

    assert Session.objects.get().expire_date == MOMENT + timedelta(minutes=150)


def test_a_session_is_written_once_a_minute(desk: Client) -> None:
    at(desk, minutes=30)
    with CaptureQueriesContext(connection) as queries:
        at(desk, minutes=30, seconds=50)

    assert [query for query in queries.captured_queries if "UPDATE" in query["sql"]] == []
