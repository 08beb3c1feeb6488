"""The form of every mirror: one heading, pointers at the top, Markdown and nothing else."""

from markdown_it.token import Token

from tests.site.published.faults import none_in
from tests.site.published.release import ROOT, Page, Release
from tests.site.published.words import READER

LONGEST = 50_000
"""Characters that readers of Markdown take of a page."""
POINTER = "/llms.txt"
OPENING = 7
"""Lines of a mirror by which it has said where its page and the index are."""


def flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *flat(token.children or []))]


def headings(markdown: str) -> list[tuple[int, str]]:
    """Line and text of the headings of the first level."""
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


def test_every_mirror_opens_with_the_one_heading_of_its_page(release: Release) -> None:
    for page in release.pages.values():
        (title,) = page.all("h1")

        found = headings(release.mirrors[page.address])
        assert found == [(0, title.text(strip=True))], page.address


def test_every_mirror_points_to_its_page_and_to_the_index_in_its_first_lines(
    release: Release,
) -> None:
    for page in release.pages.values():
        opening = "\n".join(release.mirrors[page.address].splitlines()[:OPENING])

        assert f"<{page.url}>" in opening, page.address
        assert f"<{ROOT}{POINTER}>" in opening, page.address


def test_every_page_points_to_the_index_in_its_first_half(release: Release) -> None:
    places = {page.address: place_of_pointer(page) for page in release.pages.values()}

    assert {address: place for address, place in places.items() if place >= 1 / 2} == {}


def place_of_pointer(page: Page) -> float:
    """Where in the body a link leads to the index: 0 is its beginning, 1 its end or nowhere."""
    body = page.html.partition("<body")[2]
    place = body.find(f'href="{POINTER}"')
    return place / len(body) if place >= 0 else 1.0


def test_no_mirror_has_html_in_it(release: Release) -> None:
    html = {
        address: [
            token.content
            for token in flat(READER.parse(markdown))
            if token.type in {"html_block", "html_inline"}
        ]
        for address, markdown in release.mirrors.items()
    }

    none_in(html)


def test_no_mirror_is_longer_than_readers_of_markdown_take(release: Release) -> None:
    lengths = {address: len(markdown) for address, markdown in release.mirrors.items()}

    assert {address: length for address, length in lengths.items() if length > LONGEST} == {}
