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

from catalogue.clients import client_digest, format_network
from catalogue.models import Revision
from tests import factories

pytestmark = pytest.mark.django_db

PASSWORD, WRONG = "tám quả dọi treo nghiêng", "wrong"
HERE, ELSEWHERE = "203.0.113.7", "198.51.100.9"
LIMIT = 5


@pytest.fixture(autouse=True)
def _account(settings: Settings) -> None:
    """An account, whose password is hashed quickly."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("linh", password=PASSWORD, is_staff=True)


def log_in(
    name: str = "linh", password: str = WRONG, address: str = HERE, **headers: str
) -> HttpResponse:
    return Client().post(
        reverse("admin:login"),
        {"username": name, "password": password, "next": "/admin/"},
        REMOTE_ADDR=address,
        headers=headers,
    )


def fail_to_log_in(times: int, **options: str) -> list[int]:
    return [log_in(**options).status_code for _ in range(times)]


@pytest.mark.parametrize("name", ["linh", "nobody-of-this-name"])
def test_the_fifth_failure_locks_a_name_for_its_network(name: str) -> None:
    assert fail_to_log_in(LIMIT, name=name) == [200] * (LIMIT - 1) + [429]
    assert log_in(name, PASSWORD).status_code == 429


def test_the_lock_is_for_one_name_and_one_network_only() -> None:
    User.objects.create_user("an", password=PASSWORD, is_staff=True)
    fail_to_log_in(LIMIT)

    assert log_in("linh", PASSWORD, ELSEWHERE).status_code == 302
    assert log_in("an", PASSWORD, HERE).status_code == 302


def test_the_lock_ends_after_15_minutes_whatever_is_tried_meanwhile() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        fail_to_log_in(LIMIT)
        clock.shift(timedelta(minutes=14, seconds=59))
        assert log_in("linh", PASSWORD).status_code == 429
        clock.shift(timedelta(seconds=2))
        assert log_in("linh", PASSWORD).status_code == 302


def test_the_page_of_a_lock_shows_the_remaining_time_and_not_whether_the_name_exists() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        fail_to_log_in(LIMIT)
        fail_to_log_in(LIMIT, name="nobody")
        clock.shift(timedelta(minutes=4, seconds=30))
        known, unknown = log_in("linh"), log_in("nobody")

    assert known["Retry-After"] == str(10 * 60 + 30)
    assert "try again in 11 minutes" in known.content.decode()
    assert known.content == unknown.content
    assert known.headers == unknown.headers


def test_a_failed_log_in_does_not_show_whether_the_name_exists() -> None:
    known, unknown = (log_in(name).content.decode() for name in ("linh", "nobody"))

    assert select_comparable_lines(known, "linh") == select_comparable_lines(unknown, "nobody")


def select_comparable_lines(page: str, name: str) -> list[str]:
    """Return the lines of a page without the typed name and without a token."""
    return [line for line in page.splitlines() if f'"{name}"' not in line and "csrf" not in line]


def test_a_successful_log_in_resets_the_count_of_failures() -> None:
    fail_to_log_in(LIMIT - 1)
    assert log_in("linh", PASSWORD).status_code == 302
    assert AccessAttempt.objects.count() == 0
    assert fail_to_log_in(LIMIT - 1) == [200] * (LIMIT - 1)


def test_the_lock_ignores_browser_and_address_within_a_network() -> None:
    for number in range(LIMIT):
        log_in(address=f"2001:db8:1:2::{number}", user_agent=f"browser {number}")

    assert log_in("linh", PASSWORD, "2001:db8:1:2:ffff::1").status_code == 429
    assert log_in("linh", PASSWORD, "2001:db8:1:3::1").status_code == 302


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("203.0.113.7:4711", "unknown"),
        ("unix:", "unknown"),
        ("", "unknown"),
    ],
)
def test_failures_are_counted_for_an_ipv4_address_or_an_ipv6_network(
    address: str, client: str
) -> None:
    assert format_network(address) == client


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


class TestStored:
    def test_no_address_is_stored_and_neither_browser_nor_password(self) -> None:
        log_in(user_agent="A browser", accept="text/html")
        log_in("linh", PASSWORD, ELSEWHERE, user_agent="A browser")
        [attempt] = AccessAttempt.objects.values()

        text = str(attempt)
        assert attempt["username"] == "linh"
        for secret in (HERE, "A browser", "text/html", "wrong", "csrfmiddlewaretoken=a"):
            assert secret not in text
        assert AccessLog.objects.count() == 0

    def test_the_digest_depends_on_the_key(self, settings: Settings) -> None:
        fail_to_log_in(1)
        settings.SECRET_KEY = "another key, as long as a key must be"  # noqa: S105
        fail_to_log_in(1)

        assert AccessAttempt.objects.count() == 2

    def test_stored_failures_are_deleted_after_the_lock(self) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            fail_to_log_in(LIMIT)
            clock.shift(timedelta(minutes=15, seconds=1))
            log_in("an", "wrong", ELSEWHERE)

        assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["an"]

    def test_a_row_does_not_grow_during_a_lock(self) -> None:
        fail_to_log_in(LIMIT)
        before = AccessAttempt.objects.values().get()
        fail_to_log_in(3)

        assert AccessAttempt.objects.values().get() == before

    def test_failures_do_not_move_the_revision_of_the_content(self) -> None:
        factories.make_post()
        before = Revision.objects.values().get()
        fail_to_log_in(LIMIT)
        log_in("linh", PASSWORD, ELSEWHERE)

        assert Revision.objects.values().get() == before


class TestLogged:
    def test_each_failure_is_one_warning_with_name_and_count(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        fail_to_log_in(LIMIT + 1)

        assert read_warnings(caplog) == [
            *(
                f"Log-in of user 'linh' failed: failure {count} of 5."
                for count in range(1, LIMIT + 1)
            ),
            "Log-in of user 'linh' refused: too many failures before.",
        ]

    def test_neither_address_nor_password_is_logged_and_a_name_stays_on_one_line(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        log_in("a\nWARNING b", "a password", HERE, user_agent="A browser")

        assert len(read_warnings(caplog)[0].splitlines()) == 1
        for secret in (HERE, "a password", "A browser"):
            assert secret not in caplog.text

    def test_a_successful_log_in_logs_no_warning(self, caplog: pytest.LogCaptureFixture) -> None:
        log_in("linh", PASSWORD)

        assert read_warnings(caplog) == []


def read_warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the logged warnings and errors."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("name", ["x" * 400, "nul\0", "đ" * 150, " ", ""])
def test_a_name_with_special_characters_is_refused_like_any_other(name: str) -> None:
    assert set(fail_to_log_in(LIMIT + 1, name=name)) <= {200, 429}


def test_the_tables_of_the_lock_have_no_form() -> None:
    assert project.AXES_ENABLE_ADMIN is False


def test_the_digest_of_a_client_is_an_address(rf: object) -> None:
    request = rf.get("/", REMOTE_ADDR=HERE)  # type: ignore[attr-defined]

    assert client_digest(request) == client_digest(request)
    assert format_network(client_digest(request)).endswith("::/64")
