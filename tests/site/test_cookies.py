"""No public answer sets a cookie, whatever cookies a request brings."""

from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client

from tests.freeze import makers
from tests.site.answers import answer, every_request, of_a_fault, over_budget, without_a_database

PASSWORD = "a long password"  # noqa: S105
LONG = "; ".join(f"name{number}={'x' * 990}" for number in range(400))


@pytest.fixture
def small_site(db: None) -> None:
    makers.make_site()


def expired_session() -> str:
    """The key of a session that has ended."""
    session = SessionStore()
    session["_auth_user_id"] = "1"
    session.set_expiry(-1)
    session.save()
    return str(session.session_key)


def messages() -> str:
    """A cookie that Django's message storage would read, and clear."""
    storage = CookieStorage(HttpRequest())
    return SimpleCookie({"messages": str(storage._encode(["Saved."]))}).output(header="").strip()


def cookies() -> dict[str, str]:
    """Values of the `Cookie` header, by what they are."""
    return {
        "unknown session": "sessionid=abc",
        "expired session": f"sessionid={expired_session()}",
        "malformed token": "csrftoken=1",
        "malformed everything": "sessionid=\x01; csrftoken=,;;; =; a=b=c; django_language=vi",
        "messages": messages(),
        "all": f"sessionid=abc; csrftoken=1; {messages()}",
    }


def sets_a_cookie(found: Any) -> bool:
    """The test client keeps cookies out of `headers`."""
    return bool(found.cookies) or "Set-Cookie" in found.headers


def test_no_public_answer_sets_a_cookie(small_site: None) -> None:
    brought, wrong = cookies(), []
    for asked in every_request():
        for kind, cookie in brought.items():
            found = answer(asked, {"cookie": cookie})
            assert found.status_code == asked.status, asked
            if sets_a_cookie(found):
                wrong.append((str(asked), kind))

    assert wrong == []


def test_cookies_of_400_kilobytes_change_nothing(small_site: None) -> None:
    for asked in every_request()[::7]:
        found, plain = answer(asked, {"cookie": LONG}), answer(asked)

        assert not sets_a_cookie(found)
        assert (found.status_code, found.content) == (plain.status_code, plain.content)


def test_an_answer_over_the_budget_sets_no_cookie(small_site: None) -> None:
    found = over_budget({"cookie": cookies()["all"]})

    assert found.status_code == 429
    assert not sets_a_cookie(found)


def test_an_answer_of_a_fault_sets_no_cookie(
    small_site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for found in of_a_fault(monkeypatch, {"cookie": cookies()["all"]}):
        assert found.status_code == 500
        assert not sets_a_cookie(found)


def test_an_answer_without_a_database_sets_no_cookie(small_site: None) -> None:
    cookie = cookies()["all"]
    for address in ("/api/v1/apps", "/about"):
        assert not sets_a_cookie(without_a_database(address, {"cookie": cookie}))


def test_a_logged_in_editor_gets_public_answers_without_a_cookie(small_site: None) -> None:
    editor = get_user_model().objects.create_superuser("editor", password=PASSWORD)
    client = Client()
    client.force_login(editor)
    brought = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())

    for asked in every_request():
        assert not sets_a_cookie(answer(asked, {"cookie": brought})), asked


def test_the_admin_still_has_sessions_and_tokens(small_site: None) -> None:
    get_user_model().objects.create_superuser("editor", password=PASSWORD)
    client = Client(enforce_csrf_checks=True)
    token = client.get("/admin/login/").cookies["csrftoken"].value
    form = {"username": "editor", "password": PASSWORD}

    refused = client.post("/admin/login/", form)
    accepted = client.post("/admin/login/", {**form, "csrfmiddlewaretoken": token})

    assert refused.status_code == 403
    assert accepted.status_code == 302
    assert "sessionid" in accepted.cookies
    assert client.get("/admin/")["X-Frame-Options"] == "DENY"
