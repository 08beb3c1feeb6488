"""A response depends only on the request headers that its `Vary` names."""

from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import override_settings

from tests.freeze import sites
from tests.site.public_answers import (
    OTHER_REQUESTS,
    TYPICAL_AND_ALL_REQUESTS,
    ListRequests,
    PublicRequest,
    list_requests,
    list_typical_requests,
    send_request,
)

HEADERS: dict[str, dict[str, str]] = {
    "origin": {"origin": "https://app.example"},
    "own origin": {"origin": "https://studio.example", "referer": "https://studio.example/"},
    "null origin": {"origin": "null", "access-control-request-method": "GET"},
    "malformed origin": {"origin": "http://["},
    "cookies": {"cookie": "sessionid=x; csrftoken=y; django_language=vi; messages=z"},
    "languages": {"accept-language": "vi, en;q=0.1", "accept-charset": "utf-16"},
    "proxies": {
        "x-forwarded-for": "192.0.2.7, 192.0.2.8",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-port": "8443",
        "x-forwarded-prefix": "/evil",
        "x-real-ip": "192.0.2.7",
        "forwarded": "for=192.0.2.7;proto=https;host=evil.example",
        "via": "1.1 evil.example",
    },
    "rewriting": {
        "x-original-url": "/admin/",
        "x-rewrite-url": "/admin/",
        "x-http-method-override": "DELETE",
        "x-method-override": "POST",
        "x-script-name": "/evil",
    },
    "browsers": {
        "user-agent": "Mozilla/5.0 (compatible; ClaudeBot/1.0)",
        "referer": "https://evil.example/",
        "dnt": "1",
        "save-data": "on",
        "sec-gpc": "1",
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "cross-site",
        "sec-fetch-dest": "iframe",
        "sec-ch-ua-mobile": "?1",
        "sec-ch-prefers-color-scheme": "dark",
        "upgrade-insecure-requests": "1",
        "x-requested-with": "XMLHttpRequest",
        "purpose": "prefetch",
    },
    "ranges": {"range": "bytes=0-3", "if-range": '"x"'},
    "caches": {"cache-control": "no-cache", "pragma": "no-cache", "max-forwards": "0"},
    "identities": {"authorization": "Bearer x", "from": "a@example.org", "x-csrftoken": "x"},
    "tracing": {"x-request-id": "abc", "traceparent": "00-1-1-01", "x-correlation-id": "abc"},
    "preferences": {"prefer": "return=minimal", "priority": "u=0", "te": "trailers"},
    "content": {"content-type": "text/html", "content-encoding": "gzip"},
    "another host": {"host": "localhost"},
}
"""Request headers that no `Vary` of a public response names."""
ALL_HEADERS = {name: value for group in HEADERS.values() for name, value in group.items()}
SINGLE_HEADERS = [{name: value} for group in HEADERS.values() for name, value in group.items()]
TYPICAL_ADDRESSES = (
    "/api/v1/apps",
    "/openapi.json",
    "/about",
    "/about.md",
    "/llms.txt",
    "/apps/nope",
)


def response_values(found: Any) -> tuple[int, dict[str, str], bytes]:
    return found.status_code, dict(found.headers), found.content


def has_own_header(request: PublicRequest, headers: dict[str, str]) -> bool:
    """Whether a request already has one of these headers."""
    return bool(request.headers.keys() & headers.keys())


def responses_to(requests: list[PublicRequest]) -> dict[PublicRequest, Any]:
    """Return the responses to requests without additional headers."""
    return {request: response_values(send_request(request)) for request in requests}


def differing_requests(known: dict[PublicRequest, Any], headers: dict[str, str]) -> list[str]:
    """Return the requests whose responses change with these headers, from a full budget."""
    cache.clear()
    return [
        str(request)
        for request, usual in known.items()
        if not has_own_header(request, headers)
        and response_values(send_request(request, headers)) != usual
    ]


def list_typical_addresses() -> list[PublicRequest]:
    return [PublicRequest(0, address) for address in TYPICAL_ADDRESSES]


def list_one_of_each_kind() -> list[PublicRequest]:
    """Return a request for an endpoint, a page, a mirror and an error."""
    kinds = ("/api/v1/apps", "/about", "/about.md", "/apps/nope")
    return [PublicRequest(0, address) for address in kinds]


def list_few_requests() -> list[PublicRequest]:
    return [*list_one_of_each_kind(), *OTHER_REQUESTS]


@pytest.mark.parametrize(
    "list_them",
    [
        list_one_of_each_kind,
        pytest.param(
            list_requests,
            marks=pytest.mark.exhaustive("sends 16 kinds of headers to each address"),
        ),
    ],
)
def test_headers_outside_vary_change_no_response(db: None, list_them: ListRequests) -> None:
    sites.make_site()
    known = responses_to(list_them())

    changed = {kind: differing_requests(known, headers) for kind, headers in HEADERS.items()}

    assert {kind: found for kind, found in changed.items() if found} == {}


def test_all_headers_outside_vary_together_change_no_response(db: None) -> None:
    sites.make_site()

    assert differing_requests(responses_to(list_typical_requests()), ALL_HEADERS) == []


@pytest.mark.exhaustive("sends 50 headers one by one; the kinds of headers are sent in each run")
def test_no_single_header_outside_vary_changes_a_response(db: None) -> None:
    sites.make_site()
    known = responses_to(list_typical_addresses())

    assert [header for header in SINGLE_HEADERS if differing_requests(known, header)] == []


@pytest.mark.exhaustive("asks for each address of the shipped site twice")
def test_headers_outside_vary_change_no_response_of_the_shipped_site(shipped_site: None) -> None:
    assert differing_requests(responses_to(list_requests()), ALL_HEADERS) == []


@pytest.mark.parametrize(
    "list_them",
    [
        list_few_requests,
        pytest.param(list_requests, marks=pytest.mark.exhaustive("asks for each address twice")),
    ],
)
def test_forwarded_headers_change_nothing_but_the_scheme_behind_a_proxy(
    db: None, list_them: ListRequests
) -> None:
    sites.make_site()
    proxied = HEADERS["proxies"] | {"x-forwarded-proto": "http"}

    with override_settings(BEHIND_PROXY=True, SECURE_PROXY_SSL_HEADER=PROXY_SCHEME_HEADER):
        assert differing_requests(responses_to(list_them()), proxied) == []


PROXY_SCHEME_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


@TYPICAL_AND_ALL_REQUESTS
@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example",
        *(
            pytest.param(
                origin,
                marks=pytest.mark.exhaustive("other tests compare these origins"),
            )
            for origin in ("", "null")
        ),
    ],
)
def test_cors_headers_allow_files_and_errors_but_no_pages(
    db: None, origin: str, list_them: ListRequests
) -> None:
    sites.make_site()
    brought = {"origin": origin} if origin else {}

    for request in list_them():
        found = send_request(request, brought)
        page = found.status_code in {200, 304} and "frame-ancestors" in found.get(
            "Content-Security-Policy", ""
        )
        opened = {name for name in found.headers if name.startswith("Access-Control-")}
        preflight = {f"Access-Control-{name}" for name in PREFLIGHT_HEADERS}
        expected = (
            set() if page else CORS_HEADERS | (preflight if request.method == "OPTIONS" else set())
        )
        assert opened == expected, request


CORS_HEADERS = {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}
PREFLIGHT_HEADERS = ("Allow-Methods", "Allow-Headers", "Max-Age")


def test_the_hosts_of_these_tests_are_allowed() -> None:
    assert {"localhost", "testserver"} <= set(settings.ALLOWED_HOSTS)
