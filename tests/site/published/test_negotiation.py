"""Content negotiation of all pages of the live origin."""

from collections.abc import Callable, Mapping
from email.message import Message
from functools import partial

import pytest
from django.test import Client
from pytest_django import Settings

from catalogue import addresses
from tests.site.published.release import ROOT, SECURITY_HEADERS, Release
from tests.site.published.site_client import HOST, Response, send_request

HTML, MARKDOWN = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
PREFERENCES = {
    None: HTML,
    "*/*": HTML,
    BROWSER: HTML,
    "text/html, text/markdown;q=0.5": HTML,
    ";;": HTML,
    "text/markdown;q=abc": HTML,
    "text/markdown": MARKDOWN,
    "text/markdown, text/html, */*": MARKDOWN,
    "text/html;q=0, text/markdown": MARKDOWN,
}
VARY = "Accept, Accept-Encoding"
of_all_pages = pytest.mark.exhaustive("asks a running origin for every page, 17 times in all")


@pytest.fixture(params=["in this process", pytest.param("by HTTP", marks=pytest.mark.server)])
def send(request: pytest.FixtureRequest, settings: Settings) -> Callable[..., Response]:
    """A function that sends a request to the origin and returns its response."""
    if request.param == "by HTTP":
        return partial(send_request, request.getfixturevalue("live_port"))
    request.getfixturevalue("shipped_site")
    settings.SITE_ROOT, settings.ALLOWED_HOSTS = ROOT, [HOST]
    return send_in_this_process


def send_in_this_process(
    address: str, headers: Mapping[str, str] | None = None, method: str = "GET"
) -> Response:
    answer = Client().generic(method, address, headers={"Host": HOST, **(headers or {})})
    named = Message()
    for name, value in answer.headers.items():
        named[name] = value
    return Response(answer.status_code, named, answer.content)


def get_all_pages(live_port: int, release: Release, accept: str | None) -> dict[str, Response]:
    headers = {} if accept is None else {"Accept": accept}
    return {address: send_request(live_port, address, headers) for address in release.pages}


@of_all_pages
@pytest.mark.parametrize(("accept", "wanted"), PREFERENCES.items())
def test_accept_selects_the_representation_of_all_pages(
    live_port: int, release: Release, accept: str | None, wanted: str
) -> None:
    found = {
        address: (answer.status, answer.type, answer.headers["Vary"])
        for address, answer in get_all_pages(live_port, release, accept).items()
    }

    assert found == dict.fromkeys(release.pages, (200, wanted, VARY))


@of_all_pages
def test_negotiated_markdown_equals_the_mirror_of_all_pages(
    live_port: int, release: Release
) -> None:
    for address, answer in get_all_pages(live_port, release, "text/markdown").items():
        mirror = send_request(live_port, addresses.mirror_of(address))

        assert (mirror.status, mirror.type) == (200, MARKDOWN)
        assert (answer.body, answer.headers["ETag"]) == (mirror.body, mirror.headers["ETag"])
        assert answer.headers["Content-Location"] == addresses.mirror_of(address)
        assert mirror.headers["Link"] == f'<{ROOT}{address}>; rel="canonical"'


@of_all_pages
@pytest.mark.parametrize(
    "accept", ["application/json", "image/png", "text/html;q=0, text/markdown;q=0"]
)
def test_the_406_of_all_pages_links_to_both_representations(
    live_port: int, release: Release, accept: str
) -> None:
    for address, answer in get_all_pages(live_port, release, accept).items():
        text = answer.body.decode()

        assert (answer.status, answer.type, answer.headers["Vary"]) == (406, MARKDOWN, VARY)
        assert f"({ROOT}{address})" in text
        assert f"({ROOT}{addresses.mirror_of(address)})" in text


@of_all_pages
@pytest.mark.parametrize("accept", ["text/html", "text/markdown"])
def test_all_pages_answer_a_matching_validator_with_304(
    live_port: int, release: Release, accept: str
) -> None:
    for address, first in get_all_pages(live_port, release, accept).items():
        headers = {"Accept": accept, "If-None-Match": first.headers["ETag"]}
        again = send_request(live_port, address, headers)

        assert (again.status, again.body) == (304, b""), address
        for name in ("ETag", "Vary", "Cache-Control", "Content-Location"):
            assert again.headers[name] == first.headers[name], address


@of_all_pages
def test_the_two_representations_of_all_pages_have_different_validators(
    live_port: int, release: Release
) -> None:
    html, markdown = (
        get_all_pages(live_port, release, accept) for accept in ("text/html", "text/markdown")
    )

    same = {a for a in release.pages if html[a].headers["ETag"] == markdown[a].headers["ETag"]}
    assert same == set()


@of_all_pages
def test_all_pages_have_the_security_headers(live_port: int, release: Release) -> None:
    for address, answer in get_all_pages(live_port, release, None).items():
        policy = answer.headers["Content-Security-Policy"]

        assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS, (
            address
        )
        assert policy.startswith("default-src 'none'; "), address
        assert "unsafe" not in policy
        assert "Permissions-Policy" in answer.headers
        assert {"Strict-Transport-Security", "Set-Cookie"}.isdisjoint(answer.headers), address


@pytest.mark.parametrize(
    "address",
    [
        "/nowhere",
        "/nowhere.md",
        "/vi/nowhere",
        "/blog/nowhere",
        "/apps/nowhere.md",
        "/about.html",
    ],
)
@pytest.mark.parametrize("accept", [BROWSER, "text/markdown", "application/json"])
def test_the_404_of_an_address_links_to_the_entry_pages(
    send: Callable[..., Response], address: str, accept: str
) -> None:
    answer = send(address, {"Accept": accept})
    text = answer.body.decode()

    assert (answer.status, answer.type) == (404, MARKDOWN)
    assert len(answer.body) < 2000
    for entry in ("/", "/llms.txt", "/sitemap.xml", "/api/v1/"):
        assert f"({ROOT}{entry})" in text


def test_a_post_to_any_page_file_or_mirror_is_a_405(
    send: Callable[..., Response], release: Release
) -> None:
    public = [address for address in release.entries if not address.startswith("/api/")]
    refused = {address: send(address, method="POST") for address in public}

    assert {
        address: answer.status
        for address, answer in refused.items()
        if (answer.status, answer.headers["Allow"]) != (405, "GET, HEAD, OPTIONS")
    } == {}
