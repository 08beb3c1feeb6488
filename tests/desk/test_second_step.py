"""The second step of a log-in: enrolment, codes that work once, the lock, and the rescue."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from site_mirror.desk.roles import EDITOR, WRITER
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.desk.people import browser_of, make_person

pytestmark = pytest.mark.django_db

PASSWORD = "tám quả dọi treo nghiêng"  # noqa: S105  (of a database that ends with the test)
PAGE, LOG_IN = "/admin/second-step/", "/admin/login/?next=/admin/catalogue/post/"
LIMIT = 5


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    """Time that stands still until a test moves it."""
    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock


@pytest.fixture
def person() -> User:
    user = make_person(EDITOR, "linh")
    user.set_password(PASSWORD)
    user.save()
    return user


def code_of(key: str) -> str:
    return f"{totp(bytes.fromhex(key)):06}"


def wrong(code: str) -> str:
    return f"{(int(code) + 500_000) % 1_000_000:06}"


def new_key() -> str:
    return TOTPDevice.objects.get(confirmed=False).key


def set_up(client: Client) -> list[str]:
    """Set a second step up; return the recovery codes."""
    client.get(PAGE)
    page = client.post(PAGE, {"otp_token": code_of(new_key())})
    return list(page.context["codes"])


def give_password() -> Client:
    client = Client()
    answer = client.post(LOG_IN, {"username": "linh", "password": PASSWORD})
    assert answer.headers["Location"] == "/admin/catalogue/post/"
    return client


def give(client: Client, code: str) -> HttpResponse:
    return client.post(LOG_IN, {"otp_token": code})


@pytest.fixture
def recovery_codes(person: User, clock: Any) -> list[str]:
    client = Client()
    client.force_login(person)
    codes = set_up(client)
    clock.shift(timedelta(minutes=2))
    return codes


def present_code() -> str:
    return code_of(TOTPDevice.objects.get().key)


def test_enrolment_shows_a_picture_and_needs_a_right_code(person: User, clock: Any) -> None:
    client = Client()
    client.force_login(person)
    page = client.get(PAGE).content.decode()
    key = new_key()

    assert 'src="data:image/svg+xml' in page
    assert client.get(PAGE).context["key"] in page
    refused = client.post(PAGE, {"otp_token": wrong(code_of(key))})
    assert "The code is wrong" in refused.content.decode()
    assert not TOTPDevice.objects.filter(confirmed=True).exists()
    assert client.get("/admin/").status_code == 200

    clock.shift(timedelta(seconds=2))
    codes = client.post(PAGE, {"otp_token": code_of(key)}).context["codes"]
    assert len({*codes}) == 10
    assert TOTPDevice.objects.get().key == key
    assert client.get("/admin/").status_code == 200
    again = client.get(PAGE).content.decode()
    assert key not in again
    assert codes[0] not in again
    assert "Recovery codes left: 10" in again


def test_the_password_alone_opens_and_changes_nothing(recovery_codes: list[str]) -> None:
    post, client = factories.make_post(), give_password()
    for address in ("/admin/", PAGE, form_address(post), "/admin/password_change/"):
        assert client.get(address).headers["Location"].startswith("/admin/login/?next=")
        assert (
            client.post(address, {"_withdraw": ""}).headers["Location"].startswith("/admin/login/")
        )
    asked = client.get(LOG_IN).content.decode()

    assert 'name="otp_token"' in asked
    assert 'name="password"' not in asked
    assert 'name="password"' in client.get("/admin/login/?other=1").content.decode()
    post.refresh_from_db()
    assert post.state == "published"


def test_a_code_of_the_app_opens_the_desk_once(recovery_codes: list[str]) -> None:
    code, client = present_code(), give_password()

    assert give(client, wrong(code)).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(seconds=2), tick=False):
        answer = give(client, f" {code[:3]} {code[3:]}")
    assert answer.headers["Location"] == "/admin/catalogue/post/"
    assert client.get("/admin/").status_code == 200
    assert give(give_password(), code).status_code == 200


def test_a_recovery_code_opens_the_desk_once_and_the_page_counts_the_others(
    recovery_codes: list[str],
) -> None:
    client, code = give_password(), recovery_codes[3]

    assert give(client, f"{code[:4].upper()}-{code[4:]}").status_code == 302
    assert "Recovery codes left: 9" in client.get("/admin/").content.decode()
    assert give(give_password(), code).status_code == 200
    assert TOTPDevice.objects.get().throttling_failure_count == 0


def test_wrong_codes_lock_the_log_in_whatever_passwords_are_given_between(
    recovery_codes: list[str], clock: Any
) -> None:
    for number in range(LIMIT):
        clock.shift(timedelta(seconds=40))
        status = give(give_password(), wrong(present_code())).status_code
        assert status == (429 if number == LIMIT - 1 else 200)

    assert Client().post(LOG_IN, {"username": "linh", "password": PASSWORD}).status_code == 429
    clock.shift(timedelta(minutes=16))
    assert give(give_password(), present_code()).status_code == 302
    clock.shift(timedelta(minutes=1))
    for _ in range(LIMIT - 1):
        assert Client().post(LOG_IN, {"username": "linh", "password": "no"}).status_code == 200


def test_a_session_that_waits_for_a_code_is_locked_too(recovery_codes: list[str]) -> None:
    client = give_password()
    for _ in range(LIMIT):
        Client().post(LOG_IN, {"username": "linh", "password": "wrong"})

    assert give(client, present_code()).status_code == 429
    assert give(client, recovery_codes[0]).status_code == 429
    assert StaticToken.objects.count() == 10


def test_no_other_name_opens_the_page_of_somebody_who_is_locked(recovery_codes: list[str]) -> None:
    client = give_password()
    give(client, present_code())
    for _ in range(LIMIT):
        Client().post(LOG_IN, {"username": "linh", "password": "wrong"})

    sent = {"username": "another", "otp_token": recovery_codes[0], "_remove": ""}
    assert client.post(PAGE, sent).status_code == 429
    assert StaticToken.objects.count() == 10


@pytest.mark.parametrize("act", ["", "_remove"])
def test_new_codes_and_removal_need_a_code(recovery_codes: list[str], clock: Any, act: str) -> None:
    client = give_password()
    give(client, present_code())
    clock.shift(timedelta(minutes=1))

    client.post(PAGE, {act: "", "otp_token": wrong(present_code())})
    assert TOTPDevice.objects.exists()
    assert StaticToken.objects.filter(token=recovery_codes[0]).exists()
    clock.shift(timedelta(minutes=1))
    client.post(PAGE, {act: "", "otp_token": present_code()})

    assert TOTPDevice.objects.exists() is not bool(act)
    assert not StaticToken.objects.filter(token=recovery_codes[0]).exists()
    assert client.get("/admin/").status_code == 200


def test_by_setting_people_who_may_publish_first_set_it_up(settings: Settings) -> None:
    settings.REQUIRE_SECOND_STEP = True
    post, writer, editor = factories.make_post(), browser_of(WRITER), browser_of(EDITOR)

    assert writer.get("/admin/").status_code == 200
    for address in ("/admin/", form_address(post), "/admin/password_change/"):
        assert editor.get(address).headers["Location"] == PAGE
    assert editor.post(form_address(post), {"_withdraw": ""}).headers["Location"] == PAGE
    assert editor.post(admin_address(type(post), "draft", post.pk)).headers["Location"] == PAGE
    post.refresh_from_db()
    assert post.state == "published"

    set_up(editor)
    assert form_data(editor.get(form_address(post)))
    assert "_remove" not in editor.get(PAGE).content.decode()


def test_a_command_rescues_who_has_lost_app_and_codes(recovery_codes: list[str]) -> None:
    out = StringIO()
    call_command("remove_second_step", "linh", stdout=out)

    assert "logs in with the password alone" in out.getvalue()
    assert give_password().get("/admin/").status_code == 200
    call_command("remove_second_step", "linh", stdout=out)
    assert "had no second step" in out.getvalue()
    with pytest.raises(CommandError, match="There is no account"):
        call_command("remove_second_step", "nobody")
