"""Log-in: the lock after failures, its page, and what it stores and logs."""

import logging
from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessAttempt, AccessLog
from django.conf import settings as project
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

pytestmark = pytest.mark.django_db

PASSWORD, WRONG = "tám quả dọi treo nghiêng", "wrong"
HERE, ELSEWHERE = "203.0.113.7", "198.51.100.9"
LIMIT = 5


@pytest.fixture(autouse=True)
def _account() -> None:
    User.objects.create_user("linh", password=PASSWORD, is_staff=True)


def log_in(
    name: str = "linh", password: str = WRONG, address: str = HERE, **headers: str
) -> HttpResponse:
    return Client().post(
        reverse("admin:login"),
        {"username": name, "password": password, "next": "/admin/", "csrfmiddlewaretoken": "a"},
        REMOTE_ADDR=address,
        headers=headers,
    )


def fail_to_log_in(times: int, **options: str) -> list[int]:
    return [log_in(**options).status_code for _ in range(times)]


def test_the_fifth_failure_locks_a_name_for_its_network() -> None:
    User.objects.create_user("an", password=PASSWORD, is_staff=True)

    assert fail_to_log_in(LIMIT) == [200] * (LIMIT - 1) + [429]
    assert log_in("linh", PASSWORD).status_code == 429
    assert log_in("linh", PASSWORD, ELSEWHERE).status_code == 302
    assert log_in("an", PASSWORD, HERE).status_code == 302


def test_the_lock_ends_after_15_minutes_whatever_is_tried_meanwhile() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        fail_to_log_in(LIMIT)
        clock.shift(timedelta(minutes=14, seconds=59))
        assert log_in("linh", PASSWORD).status_code == 429
        clock.shift(timedelta(seconds=2))
        for _ in range(2):
            assert log_in("linh", PASSWORD).status_code == 302
            assert AccessAttempt.objects.count() == 0, "a log-in resets the count"
            assert fail_to_log_in(LIMIT - 1) == [200] * (LIMIT - 1)


def test_no_answer_shows_whether_a_name_exists() -> None:
    failed, other = (log_in(name).content.decode() for name in ("linh", "nobody"))
    fail_to_log_in(LIMIT - 1)
    fail_to_log_in(LIMIT - 1, name="nobody")
    known, unknown = log_in("linh"), log_in("nobody")

    assert select_comparable_lines(failed, "linh") == select_comparable_lines(other, "nobody")
    assert known["Retry-After"] == str(15 * 60)
    assert "try again 15 minutes after the last failure" in known.content.decode()
    assert (known.content, known.headers) == (unknown.content, unknown.headers)


def select_comparable_lines(page: str, name: str) -> list[str]:
    """Return the lines of a page without the typed name and without a token."""
    return [line for line in page.splitlines() if f'"{name}"' not in line and "csrf" not in line]


def test_the_lock_ignores_browser_and_address_within_a_network() -> None:
    for number in range(LIMIT):
        log_in(address=f"2001:db8:1:2::{number}", user_agent=f"browser {number}")

    assert log_in("linh", PASSWORD, "2001:db8:1:2:ffff::1").status_code == 429
    assert log_in("linh", PASSWORD, "2001:db8:1:3::1").status_code == 302


@pytest.mark.parametrize("behind", [False, True])
def test_the_entry_of_a_trusted_proxy_is_the_clients_address(
    behind: bool, settings: Settings
) -> None:
    settings.BEHIND_PROXY = behind
    for number in range(LIMIT):
        log_in(x_forwarded_for=f"192.0.2.{number}, {ELSEWHERE}")

    assert log_in("linh", PASSWORD, x_forwarded_for=ELSEWHERE).status_code == 429
    other = log_in("linh", PASSWORD, x_forwarded_for=f"{ELSEWHERE}, {HERE}").status_code
    assert other == (302 if behind else 429)


def test_no_address_is_stored_and_neither_browser_nor_password() -> None:
    log_in(user_agent="A browser", accept="text/html")
    log_in("linh", PASSWORD, ELSEWHERE, user_agent="A browser")
    [attempt] = AccessAttempt.objects.values()

    assert attempt["username"] == "linh"
    for secret in (HERE, "A browser", "text/html", "wrong", "csrfmiddlewaretoken=a"):
        assert secret not in str(attempt)
    assert AccessLog.objects.count() == 0
    assert project.AXES_ENABLE_ADMIN is False


def test_the_digest_of_an_address_depends_on_the_key(settings: Settings) -> None:
    fail_to_log_in(1)
    settings.SECRET_KEY = "another key, as long as a key must be"  # noqa: S105
    fail_to_log_in(1)

    assert AccessAttempt.objects.count() == 2


def test_failures_and_locks_are_logged_with_the_name_only(caplog: pytest.LogCaptureFixture) -> None:
    log_in("linh", PASSWORD)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []

    fail_to_log_in(LIMIT, user_agent="A browser")

    assert 'New login failure by {username: "linh"' in caplog.text
    assert 'Locking out {username: "linh"' in caplog.text
    for secret in (HERE, WRONG, "A browser"):
        assert secret not in caplog.text


@pytest.mark.parametrize("name", ["x" * 400, "nul\0", "đ" * 150, " ", ""])
def test_a_name_with_special_characters_is_refused_like_any_other(name: str) -> None:
    assert set(fail_to_log_in(LIMIT + 1, name=name)) <= {200, 429}
