"""A public response sets no cookie and depends only on the headers that its `Vary` names."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest
from django.test import Client, override_settings

from tests.freeze import sites
from tests.freeze.live_requests import ask, ask_over_budget
from tests.live.public_answers import (
    OTHER_REQUESTS,
    PublicRequest,
    list_document_requests,
    send_request,
    without_database,
)

PROXIES = {
    "x-forwarded-for": "192.0.2.7, 192.0.2.8",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "8443",
    "x-forwarded-prefix": "/evil",
    "x-real-ip": "192.0.2.7",
    "forwarded": "for=192.0.2.7;proto=https;host=evil.example",
    "via": "1.1 evil.example",
}
HEADERS = PROXIES | {
    "origin": "https://app.example",
    "accept-language": "vi, en;q=0.1",
    "accept-charset": "utf-16",
    "x-original-url": "/admin/",
    "x-rewrite-url": "/admin/",
    "x-http-method-override": "DELETE",
    "x-script-name": "/evil",
    "user-agent": "Mozilla/5.0 (compatible; ClaudeBot/1.0)",
    "referer": "https://evil.example/",
    "save-data": "on",
    "sec-fetch-mode": "navigate",
    "sec-fetch-site": "cross-site",
    "x-requested-with": "XMLHttpRequest",
    "range": "bytes=0-3",
    "if-range": '"x"',
    "cache-control": "no-cache",
    "authorization": "Bearer x",
    "x-csrftoken": "x",
    "x-request-id": "abc",
    "traceparent": "00-1-1-01",
    "prefer": "return=minimal",
    "content-type": "text/html",
}
"""Request headers that no `Vary` of a public response names."""
CORS_HEADERS = {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}
PREFLIGHT_HEADERS = {
    f"Access-Control-{name}" for name in ("Allow-Methods", "Allow-Headers", "Max-Age")
}


@pytest.fixture(autouse=True)
def small_site(db: None) -> None:
    sites.make_site()


def cookies_of_an_editor() -> str:
    """Return the cookies of an editor who is logged in and has a message to read."""
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("editor"))
    client.cookies["messages"] = str(CookieStorage(HttpRequest())._encode(["Saved."]))
    client.cookies["csrftoken"] = "1"
    return "; ".join(f"{name}={morsel.coded_value}" for name, morsel in client.cookies.items())


def values_of(response: Any) -> tuple[int, dict[str, str], bytes]:
    """Return what a client sees; Django's test client keeps cookies outside of the headers."""
    assert not response.cookies
    return response.status_code, dict(response.headers), response.content


def find_differing(*variants: dict[str, str]) -> list[PublicRequest]:
    """Return the requests whose responses change with one of these headers."""
    found = []
    for request in [*list_document_requests(), *OTHER_REQUESTS]:
        plain = values_of(send_request(request))
        found += [
            request
            for headers in variants
            if not request.headers.keys() & headers.keys()
            and values_of(send_request(request, headers)) != plain
        ]
    return found


def test_headers_outside_vary_change_no_response() -> None:
    assert find_differing(HEADERS) == []


def test_cookies_change_no_response_and_are_not_set() -> None:
    long = "; ".join(f"name{number}={'x' * 990}" for number in range(15))
    cookies = (
        cookies_of_an_editor(),
        f"sessionid=abc; csrftoken=1; django_language=vi; {long}",
        "sessionid=\x01; csrftoken=,;;; =; a=b=c",
    )

    assert find_differing(*({"cookie": each} for each in cookies)) == []


def test_no_error_sets_a_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*anything: Any, **named: Any) -> None:
        raise RuntimeError("a fault of the program")

    cookie = cookies_of_an_editor()
    found = [ask_over_budget("/api/v1/health", HTTP_COOKIE=cookie)]
    with without_database():
        found += [ask(address, HTTP_COOKIE=cookie) for address in ("/api/v1/apps", "/about")]
    monkeypatch.setattr("api.views.EndpointViewSet.retrieve", fail)
    monkeypatch.setattr("site_mirror.live.views.live_context", fail)
    found += [ask(address, HTTP_COOKIE=cookie) for address in ("/api/v1/health", "/science")]

    assert [response.status_code for response in found] == [429, 503, 503, 500, 500]
    assert [response for response in found if response.cookies] == []


def test_forwarded_headers_change_nothing_but_the_scheme_behind_a_proxy() -> None:
    scheme = ("HTTP_X_FORWARDED_PROTO", "https")
    with override_settings(BEHIND_PROXY=True, SECURE_PROXY_SSL_HEADER=scheme):
        assert find_differing(PROXIES | {"x-forwarded-proto": "http"}) == []


@pytest.mark.parametrize("headers", [{}, {"origin": "https://app.example"}], ids=["own", "other"])
def test_cors_headers_allow_files_and_errors_but_no_pages(headers: dict[str, str]) -> None:
    for request in [*list_document_requests(), *OTHER_REQUESTS]:
        found = send_request(request, headers)
        expected = CORS_HEADERS | (PREFLIGHT_HEADERS if request.method == "OPTIONS" else set())
        if is_page(found):
            expected = set()

        assert {name for name in found.headers if name.startswith("Access-Control-")} == expected, (
            request
        )


def is_page(response: Any) -> bool:
    policy = response.get("Content-Security-Policy", "")
    return response.status_code in {200, 304} and "frame-ancestors" in policy
