"""Every page of the live origin answers in the representation that a request prefers."""

import pytest

from catalogue import addresses
from tests.site.published.exchange import Answer, ask
from tests.site.published.release import ROOT, Release

HTML, MARKDOWN = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
WANTED = {
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
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def asked(live: int, release: Release, accept: str | None) -> dict[str, Answer]:
    headers = {} if accept is None else {"Accept": accept}
    return {address: ask(live, address, headers) for address in release.pages}


@pytest.mark.parametrize(("accept", "wanted"), WANTED.items())
def test_every_page_has_one_preferred_representation(
    live: int, release: Release, accept: str | None, wanted: str
) -> None:
    found = {
        address: (answer.status, answer.type, answer.headers["Vary"])
        for address, answer in asked(live, release, accept).items()
    }

    assert found == dict.fromkeys(release.pages, (200, wanted, VARY))


def test_markdown_by_negotiation_is_the_mirror_of_every_page(live: int, release: Release) -> None:
    for address, answer in asked(live, release, "text/markdown").items():
        mirror = ask(live, addresses.mirror(address))

        assert (mirror.status, mirror.type) == (200, MARKDOWN)
        assert (answer.body, answer.headers["ETag"]) == (mirror.body, mirror.headers["ETag"])
        assert answer.headers["Content-Location"] == addresses.mirror(address)
        assert mirror.headers["Link"] == f'<{ROOT}{address}>; rel="canonical"'


@pytest.mark.parametrize(
    "accept", ["application/json", "image/png", "text/html;q=0, text/markdown;q=0"]
)
def test_a_request_for_neither_is_told_of_every_page_what_there_is(
    live: int, release: Release, accept: str
) -> None:
    for address, answer in asked(live, release, accept).items():
        text = answer.body.decode()

        assert (answer.status, answer.type, answer.headers["Vary"]) == (406, MARKDOWN, VARY)
        assert f"({ROOT}{address})" in text
        assert f"({ROOT}{addresses.mirror(address)})" in text


@pytest.mark.parametrize("accept", ["text/html", "text/markdown"])
def test_no_page_is_sent_again_to_who_has_it(live: int, release: Release, accept: str) -> None:
    for address, had in asked(live, release, accept).items():
        headers = {"Accept": accept, "If-None-Match": had.headers["ETag"]}
        again = ask(live, address, headers)

        assert (again.status, again.body) == (304, b""), address
        for name in ("ETag", "Vary", "Cache-Control", "Content-Location"):
            assert again.headers[name] == had.headers[name], address


def test_the_two_representations_of_every_page_have_validators_of_their_own(
    live: int, release: Release
) -> None:
    html, markdown = (asked(live, release, accept) for accept in ("text/html", "text/markdown"))

    same = {a for a in release.pages if html[a].headers["ETag"] == markdown[a].headers["ETag"]}
    assert same == set()


def test_every_page_says_what_it_may_load_and_what_may_be_done_with_it(
    live: int, release: Release
) -> None:
    for address, answer in asked(live, release, None).items():
        policy = answer.headers["Content-Security-Policy"]

        assert {name: answer.headers[name] for name in SECURITY} == SECURITY, address
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
def test_an_unknown_address_names_where_to_go_on(live: int, address: str, accept: str) -> None:
    answer = ask(live, address, {"Accept": accept})
    text = answer.body.decode()

    assert (answer.status, answer.type) == (404, MARKDOWN)
    assert len(answer.body) < 2000
    for entry in ("/", "/llms.txt", "/sitemap.xml", "/api/v1/"):
        assert f"({ROOT}{entry})" in text


def test_no_page_file_or_mirror_takes_anything_in(live: int, release: Release) -> None:
    public = [address for address in release.entries if not address.startswith("/api/")]
    refused = {address: ask(live, address, method="POST") for address in public}

    assert {
        address: answer.status
        for address, answer in refused.items()
        if (answer.status, answer.headers["Allow"]) != (405, "GET, HEAD, OPTIONS")
    } == {}
