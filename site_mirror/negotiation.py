"""Which representation of a page a request wants (RFC 9110, section 12.5.1).

The grammar is read as it is written there, and in ASCII only: a field that differs from it in any
place is malformed, and gets HTML. `hosts/rules.js` and `hosts/caddy_rules.py` decide alike.
"""

import re
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

LONGEST = 2048
"""Bytes of a field; a longer one counts as malformed."""

TCHARS = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
QUOTED = r'"(?:[\t !#-\[\]-~]|\\[\t -~])*+"'
PARAMETER = re.compile(rf"[ \t]*+;[ \t]*+(?:({TCHARS})=({TCHARS}|{QUOTED}))?+")
ELEMENT = re.compile(
    rf"[ \t]*+(?:({TCHARS})/({TCHARS})((?:{PARAMETER.pattern})*+))?+[ \t]*+(?:,|\Z)"
)
"""An element of the list with its separator; a list may have empty elements (section 5.6.1).

Every repetition is possessive: what it has read is not read again, so the time is linear.
"""
WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")


class Representation(Enum):
    HTML = "text/html"
    MARKDOWN = "text/markdown"


class MediaRange(Struct, frozen=True):
    """`type/subtype` in lower case, whether it has parameters, and its weight."""

    name: str
    has_parameters: bool
    weight: float

    def specificity(self, representation: Representation) -> int:
        """How exactly this range names a representation; 0 where it does not match."""
        if self.name == representation.value:
            return 4 if self.has_parameters else 3
        return {"text/*": 2, "*/*": 1}.get(self.name, 0)


def preferred(accept: str | None) -> Representation | None:
    """HTML unless Markdown is asked for by name; none where the field rules out both."""
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
    return not_excluded(html, markdown) if all(item.weight == 0 for item in ranges) else None


def not_excluded(html: float | None, markdown: float | None) -> Representation | None:
    """The representation that a field leaves which only excludes."""
    if html is None:
        return Representation.HTML
    return Representation.MARKDOWN if markdown is None else None


def media_ranges(accept: str) -> list[MediaRange]:
    """Every range of a field; none at all where the field is malformed or too long."""
    ranges, position = list[MediaRange](), 0
    while position < len(accept) <= LONGEST:
        element = ELEMENT.match(accept, position)
        if element is None:
            return []
        position = element.end()
        if element[1] is not None:
            item = media_range(element[1].lower(), element[2].lower(), element[3])
            if item is None:
                return []
            ranges.append(item)
    return ranges


def media_range(main: str, sub: str, parameters: str) -> MediaRange | None:
    """A range, or none if its wildcard or its weight is malformed."""
    found = [(name.lower(), value) for name, value in PARAMETER.findall(parameters) if name]
    weights = [value for name, value in found if name == "q"]
    if (main == "*" and sub != "*") or not well_formed(weights):
        return None
    weight = float(weights[0]) if weights else 1.0
    return MediaRange(f"{main}/{sub}", len(found) > len(weights), weight)


def well_formed(weights: Sequence[str]) -> bool:
    """At most one weight, of at most three decimals."""
    return len(weights) <= 1 and all(map(WEIGHT.fullmatch, weights))


def weight(representation: Representation, ranges: Sequence[MediaRange]) -> float | None:
    """The weight of the most specific range that matches; none where no range does."""
    best = max(ranges, key=lambda item: item.specificity(representation))
    return best.weight if best.specificity(representation) else None


def named(representation: Representation, ranges: Sequence[MediaRange]) -> bool:
    """Whether a range names the type itself, and wants it."""
    return any(item.name == representation.value and item.weight > 0 for item in ranges)
