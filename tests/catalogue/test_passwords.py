"""Weak passwords are refused, and a forgotten password is reset."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

pytestmark = pytest.mark.django_db

GOOD = "tám quả dọi treo nghiêng"
LINK = re.compile(r"https://studio\.example(/admin/set-password/[^/]+/[^/]+/)")
USED = "has been used or is older"


@pytest.fixture
def linh() -> User:
    return User.objects.create_user(
        "linh", "linh@studio.example", "an older password", is_staff=True, last_name="Nguyễn"
    )


@pytest.fixture
def elsewhere(linh: User) -> Client:
    """A browser in which the user is logged in."""
    browser = Client()
    browser.force_login(linh)
    return browser


@pytest.fixture
def link(linh: User, capsys: pytest.CaptureFixture[str]) -> str:
    """The path of the address that the command prints for the account."""
    call_command("password_link", "linh")
    found = LINK.fullmatch(capsys.readouterr().out.strip())
    assert found
    return found[1]


def open_link(link: str) -> tuple[Client, HttpResponse]:
    browser = Client()
    return browser, browser.get(link, follow=True)


def set_password(link: str, password: str = GOOD) -> str:
    """Open a link, set a password and return the page that is shown."""
    browser, page = open_link(link)
    typed = {"new_password1": password, "new_password2": password}
    answer = browser.post(page.request["PATH_INFO"], typed, follow=True)  # type: ignore[attr-defined]
    return answer.content.decode()


def log_in(password: str) -> int:
    typed = {"username": "linh", "password": password}
    return Client().post(reverse("admin:login"), typed).status_code


@pytest.mark.parametrize(
    "password", ["short-words", "password1234", "123456789012345", "linh@studio.example"]
)
def test_a_link_refuses_a_weak_password(link: str, linh: User, password: str) -> None:
    assert "The new password is set" not in set_password(link, password)
    linh.refresh_from_db()
    assert linh.check_password("an older password")


def test_a_link_sets_the_password_once_and_ends_a_lock_and_every_session(
    elsewhere: Client, link: str
) -> None:
    assert elsewhere.get("/admin/").status_code == 200
    assert [log_in("wrong") for _ in range(5)][-1] == 429

    assert "The new password is set" in set_password(link)

    assert log_in(GOOD) == 302
    assert elsewhere.get("/admin/").status_code == 302
    assert USED in open_link(link)[1].content.decode()


def test_a_link_expires_after_a_day(link: str) -> None:
    later = timezone.now() + timedelta(hours=24, minutes=1)
    with time_machine.travel(later.timestamp()):
        assert USED in open_link(link)[1].content.decode()


def test_the_command_refuses_an_account_that_cannot_log_in(linh: User) -> None:
    with pytest.raises(CommandError, match="no account with the user name “nobody”"):
        call_command("password_link", "nobody")
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="“linh” is not active"):
        call_command("password_link", "linh")


def request_reset(address: str, **headers: str) -> HttpResponse:
    return Client().post(
        reverse("admin_password_reset"), {"email": address}, follow=True, headers=headers
    )


class TestMail:
    @pytest.fixture(autouse=True)
    def _server(self, settings: Settings) -> None:
        settings.MAIL_IS_SENT = True

    def test_an_account_gets_one_message_in_five_minutes_with_a_link_of_the_published_origin(
        self, linh: User
    ) -> None:
        for _ in range(3):
            request_reset("Linh@Studio.example", host="localhost")

        [message] = mail.outbox
        found = LINK.search(str(message.body))
        assert found
        assert "localhost" not in str(message.body)
        assert "The new password is set" in set_password(found[1])
        assert message.to == ["linh@studio.example"]
        assert message.from_email == "no-reply@studio.example"
        assert message.subject == "A new password for studio.example"

    @pytest.mark.parametrize(
        "changes", [{"is_staff": False}, {"is_active": False}, {"email": "other@studio.example"}]
    )
    def test_only_accounts_that_can_log_in_get_a_message_and_the_answer_does_not_tell(
        self, linh: User, changes: Any
    ) -> None:
        answered = request_reset("linh@studio.example").content
        mail.outbox.clear()
        cache.clear()
        User.objects.filter(pk=linh.pk).update(**changes)

        assert request_reset("linh@studio.example").content == answered
        assert mail.outbox == []

    def test_a_message_is_sent_while_the_shared_cache_does_not_answer(
        self, linh: User, settings: Settings
    ) -> None:
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": "redis://127.0.0.1:1/0",
            }
        }

        assert request_reset("linh@studio.example").status_code == 200
        assert len(mail.outbox) == 1

    def test_the_page_is_shown_if_the_mail_server_does_not_answer(
        self, linh: User, settings: Settings, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

        assert request_reset("linh@studio.example").status_code == 200
        assert "linh@" not in caplog.messages[0]


def test_without_a_mail_server_an_administrator_is_named(linh: User) -> None:
    log_in_page = Client().get(reverse("admin:login")).content.decode()
    assert f'href="{reverse("admin_password_reset")}"' in log_in_page

    for answer in (
        Client().get(reverse("admin_password_reset")),
        request_reset("linh@studio.example"),
    ):
        assert "Ask an administrator for a link" in answer.content.decode()
    assert mail.outbox == []
