"""An answer depends on the request headers that its `Vary` names, and on no others."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from api.throttling import OWN
from catalogue import shipped
from tests.freeze import makers
from tests.site.answers import Asked, answer, every_request

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
"""Request headers that no `Vary` of a public answer names."""
EACH = [{name: value} for group in HEADERS.values() for name, value in group.items()]
TYPICAL = ("/api/v1/apps", "/openapi.json", "/about", "/about.md", "/llms.txt", "/apps/nope")


def everything(found: Any) -> tuple[int, dict[str, str], bytes]:
    return found.status_code, dict(found.headers), found.content


def brings(asked: Asked, headers: dict[str, str]) -> bool:
    """Whether a request has a header of its own that stands against one of these."""
    return bool(asked.headers.keys() & headers.keys())


def plain(requests: list[Asked]) -> dict[Asked, Any]:
    """What is answered to requests as they are."""
    return {asked: everything(answer(asked)) for asked in requests}


def differing(known: dict[Asked, Any], headers: dict[str, str]) -> list[str]:
    """Requests whose answers change with more headers; none of them is over the budget."""
    OWN.clear()
    return [
        str(asked)
        for asked, usual in known.items()
        if not brings(asked, headers) and everything(answer(asked, headers)) != usual
    ]


def test_headers_that_no_vary_names_change_no_answer(db: None) -> None:
    makers.make_site()
    known = plain(every_request())

    changed = {kind: differing(known, headers) for kind, headers in HEADERS.items()}

    assert {kind: found for kind, found in changed.items() if found} == {}


def test_no_header_by_itself_changes_an_answer(db: None) -> None:
    makers.make_site()
    known = plain([Asked(0, address) for address in TYPICAL])

    assert [header for header in EACH if differing(known, header)] == []


def test_the_shipped_site_is_the_same_for_everybody(db: None) -> None:
    shipped.load()
    everyone = {name: value for group in HEADERS.values() for name, value in group.items()}

    assert differing(plain(every_request()), everyone) == []


def test_forwarded_headers_change_nothing_but_the_scheme_behind_a_proxy(db: None) -> None:
    makers.make_site()
    proxied = HEADERS["proxies"] | {"x-forwarded-proto": "http"}

    with override_settings(BEHIND_PROXY=True, SECURE_PROXY_SSL_HEADER=SCHEME):
        assert differing(plain(every_request()), proxied) == []


SCHEME = ("HTTP_X_FORWARDED_PROTO", "https")


@pytest.mark.parametrize("origin", ["", "https://app.example", "null"])
def test_scripts_of_other_origins_read_files_and_problems_but_no_page(
    db: None, origin: str
) -> None:
    makers.make_site()
    brought = {"origin": origin} if origin else {}

    for asked in every_request():
        found = answer(asked, brought)
        page = found.status_code in {200, 304} and "frame-ancestors" in found.get(
            "Content-Security-Policy", ""
        )
        opened = {name for name in found.headers if name.startswith("Access-Control-")}
        preflight = {f"Access-Control-{name}" for name in PREFLIGHT}
        expected = set() if page else OPEN | (preflight if asked.method == "OPTIONS" else set())
        assert opened == expected, asked


OPEN = {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}
PREFLIGHT = ("Allow-Methods", "Allow-Headers", "Max-Age")


def test_the_hosts_of_these_tests_are_allowed() -> None:
    assert {"localhost", "testserver"} <= set(settings.ALLOWED_HOSTS)
