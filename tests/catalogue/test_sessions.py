"""Sessions of editors end on the server: after 12 hours, and after 2 hours without a request."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

pytestmark = pytest.mark.django_db

ADMIN = "/admin/"
MOMENT = datetime(2027, 1, 4, 8, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def desk(client: Client) -> Client:
    """A browser that keeps expired cookies."""
    user = User.objects.create_superuser("linh")
    with time_machine.travel(MOMENT, tick=False):
        client.force_login(user)
    for cookie in client.cookies.values():
        cookie["max-age"] = cookie["expires"] = ""
    return client


def status_after(desk: Client, **later: int) -> int:
    """Return the status of the overview some time after the log-in: 302 redirects to log-in."""
    kept = {name: cookie.value for name, cookie in desk.cookies.items()}
    with time_machine.travel(MOMENT + timedelta(**later), tick=False):
        answer = Client(headers={"cookie": "; ".join(f"{n}={v}" for n, v in kept.items())})
        return answer.get(ADMIN).status_code


def test_browsers_send_the_cookies_over_tls_alone(desk: Client) -> None:
    desk.get(ADMIN)  # It has a form, so a cookie against forgery, too.

    cookies = {
        name: (cookie["secure"], cookie["samesite"]) for name, cookie in desk.cookies.items()
    }
    assert cookies == dict.fromkeys(("sessionid", "csrftoken"), (True, "Lax"))


def test_a_session_ends_after_two_idle_hours(desk: Client) -> None:
    assert Session.objects.get().expire_date == MOMENT + timedelta(hours=2)
    assert status_after(desk, minutes=119) == 200
    assert status_after(desk, minutes=119 + 119) == 200
    assert status_after(desk, minutes=119 + 119 + 121) == 302


def test_a_session_in_use_ends_after_twelve_hours(desk: Client) -> None:
    assert {status_after(desk, hours=hour) for hour in range(1, 12)} == {200}
    assert status_after(desk, hours=11, minutes=59) == 200
    assert status_after(desk, hours=12, minutes=1) == 302


def test_a_second_log_in_starts_a_new_session(desk: Client) -> None:
    status_after(desk, hours=1)
    with time_machine.travel(MOMENT + timedelta(hours=2), tick=False):
        desk.force_login(User.objects.get())

    assert {status_after(desk, hours=hour) for hour in range(3, 14)} == {200}
    assert status_after(desk, hours=14, minutes=1) == 302
