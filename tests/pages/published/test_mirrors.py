"""The form of every mirror: one heading, links at the top, and no HTML."""

from markdown_it.token import Token

from tests.pages.published.page_words import READER
from tests.pages.published.release import ROOT, Release

MAX_MIRROR_CHARACTERS = 50_000
"""The number of characters that common readers of Markdown take from a page."""
INDEX_ADDRESS = "/llms.txt"
OPENING_LINES = 7
"""The number of first lines that have the links to the page and to the index."""


def flatten_tokens(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *flatten_tokens(token.children or []))]


def find_headings(tokens: list[Token]) -> list[tuple[int, str]]:
    """Return the lines and the texts of the headings of the first level."""
    return [
        (token.map[0], "".join(inner.content for inner in tokens[place + 1].children or []))
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h1" and token.map
    ]


def test_every_page_has_a_mirror_with_its_heading_without_html(release: Release) -> None:
    assert release.pages
    for page in release.pages.values():
        mirror = release.mirrors[page.address]
        tokens = READER.parse(mirror)
        opening = "\n".join(mirror.splitlines()[:OPENING_LINES])

        assert find_headings(tokens) == [(0, page.heading)], page.address
        assert f"<{page.url}>" in opening, page.address
        assert f"<{ROOT}{INDEX_ADDRESS}>" in opening, page.address
        kinds = {token.type for token in flatten_tokens(tokens)}
        assert kinds.isdisjoint({"html_block", "html_inline"}), page.address
        assert len(mirror) <= MAX_MIRROR_CHARACTERS, page.address


def test_every_page_links_to_the_index_in_its_first_half(release: Release) -> None:
    for page in release.pages.values():
        body = page.html.partition("<body")[2]
        place = body.find(f'href="{INDEX_ADDRESS}"')

        assert 0 <= place < len(body) / 2, page.address
