"""The form of every mirror: one heading, links at the top, and no HTML."""

from markdown_it.token import Token

from tests.site.published.fault_report import assert_no_faults
from tests.site.published.page_words import READER
from tests.site.published.release import ROOT, Page, Release

MAX_MIRROR_CHARACTERS = 50_000
"""The number of characters that common readers of Markdown take from a page."""
INDEX_ADDRESS = "/llms.txt"
OPENING_LINES = 7
"""The number of first lines that have the links to the page and to the index."""


def flatten_tokens(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *flatten_tokens(token.children or []))]


def find_headings(markdown: str) -> list[tuple[int, str]]:
    """Return the lines and the texts of the headings of the first level."""
    tokens = READER.parse(markdown)
    return [
        (token.map[0], "".join(inner.content for inner in tokens[place + 1].children or []))
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h1" and token.map
    ]


def test_every_page_has_a_mirror(release: Release) -> None:
    missing = {address for address, markdown in release.mirrors.items() if not markdown.strip()}

    assert release.mirrors.keys() == release.pages.keys() != set()
    assert missing == set()


def test_every_mirror_begins_with_the_heading_of_its_page(release: Release) -> None:
    for page in release.pages.values():
        (title,) = page.all("h1")

        found = find_headings(release.mirrors[page.address])
        assert found == [(0, title.text(strip=True))], page.address


def test_the_first_lines_of_a_mirror_link_to_its_page_and_to_the_index(
    release: Release,
) -> None:
    for page in release.pages.values():
        opening = "\n".join(release.mirrors[page.address].splitlines()[:OPENING_LINES])

        assert f"<{page.url}>" in opening, page.address
        assert f"<{ROOT}{INDEX_ADDRESS}>" in opening, page.address


def test_every_page_links_to_the_index_in_its_first_half(release: Release) -> None:
    places = {page.address: position_of_index_link(page) for page in release.pages.values()}

    assert {address: place for address, place in places.items() if place >= 1 / 2} == {}


def position_of_index_link(page: Page) -> float:
    """Return the position of the link to the index in the body, from 0 to 1; 1 without a link."""
    body = page.html.partition("<body")[2]
    place = body.find(f'href="{INDEX_ADDRESS}"')
    return place / len(body) if place >= 0 else 1.0


def test_no_mirror_has_html_in_it(release: Release) -> None:
    html = {
        address: [
            token.content
            for token in flatten_tokens(READER.parse(markdown))
            if token.type in {"html_block", "html_inline"}
        ]
        for address, markdown in release.mirrors.items()
    }

    assert_no_faults(html)


def test_no_mirror_exceeds_the_limit_of_readers(release: Release) -> None:
    lengths = {address: len(markdown) for address, markdown in release.mirrors.items()}

    assert {
        address: length for address, length in lengths.items() if length > MAX_MIRROR_CHARACTERS
    } == {}
