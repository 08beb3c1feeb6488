"""No public response sets a cookie, even if the request has cookies."""

from collections.abc import Iterable
from http.cookies import SimpleCookie
from itertools import cycle, product
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client

from tests.freeze import sites
from tests.site.public_answers import (
    TYPICAL_AND_ALL_REQUESTS,
    ListRequests,
    PublicRequest,
    exceed_budget,
    list_requests,
    list_typical_requests,
    send_request,
    send_to_faulty_code,
    send_without_database,
)

PASSWORD = "a long password"  # noqa: S105
LONG_COOKIE = "; ".join(f"name{number}={'x' * 990}" for number in range(400))


@pytest.fixture
def small_site(db: None) -> None:
    sites.make_site()


def make_expired_session() -> str:
    """Create an expired session and return its key."""
    session = SessionStore()
    session["_auth_user_id"] = "1"
    session.set_expiry(-1)
    session.save()
    return str(session.session_key)


def make_message_cookie() -> str:
    """Return a cookie that Django's message storage would read and delete."""
    storage = CookieStorage(HttpRequest())
    return SimpleCookie({"messages": str(storage._encode(["Saved."]))}).output(header="").strip()


def make_cookies() -> dict[str, str]:
    """Return values of the `Cookie` header by their kind."""
    return {
        "unknown session": "sessionid=abc",
        "expired session": f"sessionid={make_expired_session()}",
        "malformed token": "csrftoken=1",
        "malformed everything": "sessionid=\x01; csrftoken=,;;; =; a=b=c; django_language=vi",
        "messages": make_message_cookie(),
        "all": f"sessionid=abc; csrftoken=1; {make_message_cookie()}",
    }


def sets_a_cookie(response: Any) -> bool:
    """Whether a response sets a cookie; Django's test client stores cookies outside `headers`."""
    return bool(response.cookies) or "Set-Cookie" in response.headers


def find_cookies(pairs: Iterable[tuple[PublicRequest, tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return the requests whose responses set a cookie, each with the kind of its own cookie."""
    faults = []
    for request, (kind, cookie) in pairs:
        response = send_request(request, {"cookie": cookie})
        assert response.status_code == request.status, request
        if sets_a_cookie(response):
            faults.append((str(request), kind))
    return faults


def test_no_public_response_sets_a_cookie(small_site: None) -> None:
    """Each request has the cookies of one kind, in turn."""
    cookies = make_cookies()

    assert find_cookies(zip(list_typical_requests(), cycle(cookies.items()), strict=False)) == []


@pytest.mark.exhaustive("sends six kinds of cookies to each address of each document")
def test_no_kind_of_cookie_lets_a_public_response_set_one(small_site: None) -> None:
    assert find_cookies(product(list_requests(), make_cookies().items())) == []


@TYPICAL_AND_ALL_REQUESTS
def test_cookies_of_400_kilobytes_change_no_response(
    small_site: None, list_them: ListRequests
) -> None:
    for request in list_them()[::7]:
        response, plain = send_request(request, {"cookie": LONG_COOKIE}), send_request(request)

        assert not sets_a_cookie(response)
        assert (response.status_code, response.content) == (plain.status_code, plain.content)


def test_a_429_sets_no_cookie(small_site: None) -> None:
    response = exceed_budget({"cookie": make_cookies()["all"]})

    assert response.status_code == 429
    assert not sets_a_cookie(response)


def test_a_500_sets_no_cookie(small_site: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for response in send_to_faulty_code(monkeypatch, {"cookie": make_cookies()["all"]}):
        assert response.status_code == 500
        assert not sets_a_cookie(response)


def test_a_503_sets_no_cookie(small_site: None) -> None:
    cookie = make_cookies()["all"]
    for address in ("/api/v1/apps", "/about"):
        assert not sets_a_cookie(send_without_database(address, {"cookie": cookie}))


@TYPICAL_AND_ALL_REQUESTS
def test_a_public_response_to_a_logged_in_editor_sets_no_cookie(
    small_site: None, list_them: ListRequests
) -> None:
    editor = get_user_model().objects.create_superuser("editor", password=PASSWORD)
    client = Client()
    client.force_login(editor)
    brought = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())

    for request in list_them():
        assert not sets_a_cookie(send_request(request, {"cookie": brought})), request


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
