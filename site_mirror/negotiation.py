"""Which representation of a page a request wants (decision D24; RFC 9110, section 12.5.1).

Django parses the ranges; what it leaves out, ranges with `q=0`, is what rules a type out.
"""

import re
from enum import Enum

from django.http.request import MediaType

ELEMENT = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*"|")+')
"""An element of a list: a comma inside of a quoted string ends none (RFC 9110, section 5.6.4)."""


class Representation(Enum):
    HTML = "text/html"
    MARKDOWN = "text/markdown"


def preferred(accept: str | None) -> Representation | None:
    """HTML unless Markdown is asked for by name; none where the header rules out both."""
    ranges = media_ranges(accept or "")
    if not ranges:
        return Representation.HTML
    html = weight(Representation.HTML, ranges)
    markdown = weight(Representation.MARKDOWN, ranges)
    if named(Representation.MARKDOWN, ranges) and (markdown or 0) >= (html or 0):
        return Representation.MARKDOWN
    if html:
        return Representation.HTML
    if markdown:
        return Representation.MARKDOWN
    return not_excluded(html, markdown) if all(item.quality == 0 for item in ranges) else None


def not_excluded(html: float | None, markdown: float | None) -> Representation | None:
    """What a header that only excludes has left."""
    if html is None:
        return Representation.HTML
    return Representation.MARKDOWN if markdown is None else None


def media_ranges(accept: str) -> list[MediaType]:
    """Every range of a header; none at all where any of them is malformed."""
    tokens = [token for token in ELEMENT.findall(accept) if token.strip()]
    ranges = [MediaType(token) for token in tokens]
    return ranges if all(map(well_formed, ranges)) else []


def well_formed(item: MediaType) -> bool:
    try:
        in_bounds = 0 <= float(item.params.get("q", "1")) <= 1
    except ValueError:
        return False
    return in_bounds and bool(item.main_type.strip() and item.sub_type.strip())


def weight(representation: Representation, ranges: list[MediaType]) -> float | None:
    """The quality of the most specific range that matches; none where no range does."""
    matching = [item for item in ranges if item.match(representation.value)]
    best = max(matching, key=lambda item: item.specificity, default=None)
    return None if best is None else float(best.quality)


def named(representation: Representation, ranges: list[MediaType]) -> bool:
    """Whether a range names the type itself, and wants it."""
    exact = (item for item in ranges if f"{item.main_type}/{item.sub_type}" == representation.value)
    return any(item.quality > 0 for item in exact)
