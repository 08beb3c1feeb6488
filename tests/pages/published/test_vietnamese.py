"""No text of a Vietnamese page is that of the English page, except names and code."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.pages.published.release import Page, Release

CODE_OR_SOURCES = "code, pre, script, style, math, svg, .heading:has(#nguon) + ul"
"""Parts of a page whose words are no text of ours: titles of cited works are those of the works."""
SPOKEN_ATTRIBUTES = ("alt", "aria-label", "title", "data-done", "data-failed", "data-asking")
NAMES = re.compile(
    r"Plumbline Studio|Studio|Đà Nẵng|Linh|Minh|Thảo|linh|minh|thao|QA"
    r"|Stashio|Wheria|Estua|Phyzix|Sonarish|App Store|Google Play|Chrome Web Store"
    r"|GitHub|iOS|Android|API|JSON|Markdown|Swagger UI|curl|Python|JavaScript|Swift|Kotlin|Atom"
    r"|llms\.txt|v1|Blog"
    r"|App|Health|Index|Localized|Meta|Post|Principle|Problem|ScienceTopic|Statistic|TeamMember"
    r"|TimelineEntry|Version|openapi-[a-z-]+|CC BY 4\.0|RFC \d+|RMSSD|Camera|English|Tiếng Việt"
    r"|kHz|hPa|rad|mol|hop|dung|https?:\S+|/\S*|\S+@\S+|[a-z]+[A-Z]\w*|\w+\.\w+"
)
"""Names, units, addresses, operations and objects of the API, and words that are equal in both
languages: `hop, dung, do` is what a reader types without marks."""
VIETNAMESE_LETTER = re.compile("[ăâđêôơưĂÂĐÊÔƠƯ\u1ea0-\u1ef9]")


def list_texts(node: LexborNode, language: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts below an element and those of attributes, each with its language."""
    language = node.attributes.get("lang") or language
    values = (node.attributes.get(name) for name in SPOKEN_ATTRIBUTES)
    yield from ((" ".join(value.split()), language) for value in values if value)
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield " ".join(child.text().split()), language
        else:
            yield from list_texts(child, language)


def read_texts(page: Page) -> dict[str, str]:
    """Return the language of each text of a page that is more than names, code and sources."""
    tree = LexborHTMLParser(page.html)
    for node in tree.css(CODE_OR_SOURCES):
        node.decompose()
    assert tree.root is not None
    return {
        text: language
        for text, language in list_texts(tree.root)
        if re.search(r"[A-Za-z]{3}", NAMES.sub("", text))
    }


def test_no_text_of_a_vietnamese_page_is_in_english(release: Release) -> None:
    pairs = {
        page.address: (page, release.pages["/vi" if address == "/" else f"/vi{address}"])
        for address, page in release.pages.items()
        if not page.in_vietnamese
    }
    repeated = {
        (vietnamese.address, text)
        for english, vietnamese in pairs.values()
        for text in read_texts(english).keys() & read_texts(vietnamese).keys()
        if not VIETNAMESE_LETTER.search(text)
    }
    marked = {
        (vietnamese.address, text)
        for _, vietnamese in pairs.values()
        for text, language in read_texts(vietnamese).items()
        if language == "en"
    }
    assert len(pairs) > 40
    assert repeated | marked == set()
