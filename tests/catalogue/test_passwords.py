"""Weak passwords are refused, and a forgotten password is reset."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

pytestmark = pytest.mark.django_db

GOOD = "tám quả dọi treo nghiêng"
LINK = re.compile(r"https://studio\.example(/admin/set-password/[^/]+/[^/]+/)")


@pytest.fixture(autouse=True)
def _unspent_request_budget(settings: Settings) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def linh() -> User:
    return User.objects.create_user(
        "linh", "linh@studio.example", "an older password", is_staff=True, last_name="Nguyễn"
    )


@pytest.mark.parametrize(
    "password",
    ["1", "short-words", "password1234", "123456789012345", "linh@studio.example"],
)
def test_a_weak_password_is_refused(linh: User, password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, linh)


def test_a_long_password_of_words_is_accepted(linh: User) -> None:
    validate_password(GOOD, linh)


def test_a_weak_password_is_refused_at_its_field_in_the_admin(admin_client: Client) -> None:
    new = {"username": "an", "usable_password": "true", "password1": "1", "password2": "1"}

    page = admin_client.post(reverse("admin:auth_user_add"), new)

    assert "12 characters" in str(page.context["adminform"].form.errors["password2"])


def print_link(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the path of the address that the command prints."""
    call_command("password_link", name)
    found = LINK.fullmatch(capsys.readouterr().out.strip())
    assert found
    return found[1]


def open_link(link: str, browser: Client | None = None) -> tuple[Client, HttpResponse]:
    browser = browser or Client()
    return browser, browser.get(link, follow=True)


def set_password(browser: Client, page: Any, first: str = GOOD, second: str = GOOD) -> HttpResponse:
    typed = {"new_password1": first, "new_password2": second}
    return browser.post(page.request["PATH_INFO"], typed, follow=True)


class TestLink:
    def test_a_link_sets_the_password(self, linh: User, capsys: pytest.CaptureFixture[str]) -> None:
        browser, page = open_link(print_link("linh", capsys))
        done = set_password(browser, page)

        linh.refresh_from_db()
        assert linh.check_password(GOOD)
        assert "The new password is set" in done.content.decode()

    def test_a_link_works_once(self, linh: User, capsys: pytest.CaptureFixture[str]) -> None:
        link = print_link("linh", capsys)
        set_password(*open_link(link))
        _, again = open_link(link)

        assert "has been used or is older" in again.content.decode()

    def test_a_link_expires_after_a_day(
        self, linh: User, capsys: pytest.CaptureFixture[str]
    ) -> None:
        link = print_link("linh", capsys)
        later = timezone.now() + timedelta(hours=24, minutes=1)
        with time_machine.travel(later.timestamp()):
            _, page = open_link(link)

        assert "has been used or is older" in page.content.decode()

    def test_a_link_sets_the_first_password_of_a_new_account(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        User.objects.create_user("new", is_staff=True)
        set_password(*open_link(print_link("new", capsys)))

        assert User.objects.get().check_password(GOOD)

    def test_a_link_refuses_a_weak_password(
        self, linh: User, capsys: pytest.CaptureFixture[str]
    ) -> None:
        browser, page = open_link(print_link("linh", capsys))
        refused = set_password(browser, page, "1", "1")

        assert "12 characters" in refused.content.decode()
        linh.refresh_from_db()
        assert linh.check_password("an older password")

    def test_a_link_ends_a_lock_and_every_session(
        self, linh: User, capsys: pytest.CaptureFixture[str]
    ) -> None:
        elsewhere = Client()
        elsewhere.force_login(linh)
        tries = [log_in("wrong").status_code for _ in range(5)]
        set_password(*open_link(print_link("linh", capsys)))

        assert tries[-1] == 429
        assert log_in(GOOD).status_code == 302
        assert elsewhere.get("/admin/").status_code == 302

    @pytest.mark.parametrize("link", ["MQ/abc-1", "MQ/set-password", "x/y", "OTk5OTk5OTk5/a-b"])
    def test_a_link_that_was_made_up_is_refused(self, linh: User, link: str) -> None:
        page = Client().get(f"/admin/set-password/{link}/", follow=True)

        assert page.status_code == 200
        assert "has been used or is older" in page.content.decode()

    def test_the_command_refuses_an_account_that_cannot_log_in(self, linh: User) -> None:
        with pytest.raises(CommandError, match="no account with the user name “nobody”"):
            call_command("password_link", "nobody")
        linh.is_active = False
        linh.save()
        with pytest.raises(CommandError, match="“linh” is not active"):
            call_command("password_link", "linh")


def log_in(password: str) -> HttpResponse:
    return Client().post(reverse("admin:login"), {"username": "linh", "password": password})


def request_reset(address: str, **headers: str) -> HttpResponse:
    return Client().post(
        reverse("admin_password_reset"), {"email": address}, follow=True, headers=headers
    )


class TestMail:
    @pytest.fixture(autouse=True)
    def _server(self, settings: Settings) -> None:
        settings.MAIL_IS_SENT = True

    def test_a_message_has_a_link_that_sets_the_password(self, linh: User) -> None:
        request_reset("Linh@Studio.example")
        [message] = mail.outbox
        found = LINK.search(str(message.body))
        assert found
        set_password(*open_link(found[1]))

        linh.refresh_from_db()
        assert linh.check_password(GOOD)
        assert message.to == ["linh@studio.example"]
        assert message.from_email == "no-reply@studio.example"
        assert message.subject == "A new password for studio.example"

    def test_the_link_of_a_message_has_the_published_origin_for_any_host_header(
        self, linh: User
    ) -> None:
        request_reset("linh@studio.example", host="localhost")

        assert "localhost" not in str(mail.outbox[0].body)

    @pytest.mark.parametrize(
        "changes", [{"is_staff": False}, {"is_active": False}, {"email": "other@studio.example"}]
    )
    def test_only_accounts_that_can_log_in_get_a_message(self, linh: User, changes: Any) -> None:
        User.objects.filter(pk=linh.pk).update(**changes)
        request_reset("linh@studio.example")

        assert mail.outbox == []

    def test_the_response_does_not_show_whether_an_account_exists(self, linh: User) -> None:
        pages = [request_reset(f"{name}@studio.example").content for name in ("linh", "nobody")]

        assert pages[0] == pages[1]

    def test_an_account_gets_one_message_in_five_minutes(self, linh: User) -> None:
        for _ in range(3):
            request_reset("linh@studio.example")

        assert len(mail.outbox) == 1

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
    page = Client().get(reverse("admin_password_reset"))
    asked = request_reset("linh@studio.example")

    for answer in (page, asked):
        assert "Ask an administrator for a link" in answer.content.decode()
    assert mail.outbox == []


def test_the_log_in_page_leads_to_the_reset() -> None:
    page = Client().get(reverse("admin:login")).content.decode()

    assert f'href="{reverse("admin_password_reset")}"' in page
