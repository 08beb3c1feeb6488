"""The representation of a page that a request's `Accept` prefers (RFC 9110, section 12.5.1).

A field that differs from the grammar of the RFC in any place, or is not ASCII, is malformed and
gets HTML. `hosts/rules.js` decides alike.
"""

import re
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

MAX_ACCEPT_BYTES = 2048
"""A longer field counts as malformed."""

TCHARS = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
QUOTED_STRING = r'"(?:[\t !#-\[\]-~]|\\[\t -~])*+"'
PARAMETER = re.compile(rf"[ \t]*+;[ \t]*+(?:({TCHARS})=({TCHARS}|{QUOTED_STRING}))?+")
ELEMENT = re.compile(
    rf"[ \t]*+(?:({TCHARS})/({TCHARS})((?:{PARAMETER.pattern})*+))?+[ \t]*+(?:,|\Z)"
)
"""An element of the list with its separator; a list may have empty elements (section 5.6.1).

Every repetition is possessive: it does not backtrack, so the time is linear.
"""
QVALUE = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")


class Representation(Enum):
    HTML = "text/html"
    MARKDOWN = "text/markdown"


class MediaRange(Struct, frozen=True):
    """A range of an `Accept`: `type/subtype` in lower case, parameters and weight."""

    name: str
    has_parameters: bool
    weight: float

    def specificity(self, representation: Representation) -> int:
        """The precedence of this range for a representation; 0 if it does not match."""
        if self.name == representation.value:
            return 4 if self.has_parameters else 3
        return {"text/*": 2, "*/*": 1}.get(self.name, 0)


def preferred_representation(accept: str | None) -> Representation | None:
    """Return HTML unless Markdown is requested by name; `None` if the field excludes both."""
    ranges = media_ranges(accept or "")
    if not ranges:
        return Representation.HTML
    html = weight_of_representation(Representation.HTML, ranges)
    markdown = weight_of_representation(Representation.MARKDOWN, ranges)
    if is_named(Representation.MARKDOWN, ranges) and (markdown or 0) >= (html or 0):
        return Representation.MARKDOWN
    if html:
        return Representation.HTML
    if markdown:
        return Representation.MARKDOWN
    return (
        representation_not_excluded(html, markdown)
        if all(item.weight == 0 for item in ranges)
        else None
    )


def representation_not_excluded(
    html: float | None, markdown: float | None
) -> Representation | None:
    """Return the representation that a field with only zero weights does not exclude."""
    if html is None:
        return Representation.HTML
    return Representation.MARKDOWN if markdown is None else None


def media_ranges(accept: str) -> list[MediaRange]:
    """Return the ranges of a field; an empty list if the field is malformed or too long."""
    ranges, position = list[MediaRange](), 0
    while position < len(accept) <= MAX_ACCEPT_BYTES:
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
    """Return a range, or `None` if its wildcard or its weight is malformed."""
    pairs = [(name.lower(), value) for name, value in PARAMETER.findall(parameters) if name]
    weights = [value for name, value in pairs if name == "q"]
    if (main == "*" and sub != "*") or not are_valid_weights(weights):
        return None
    weight = float(weights[0]) if weights else 1.0
    return MediaRange(f"{main}/{sub}", len(pairs) > len(weights), weight)


def are_valid_weights(weights: Sequence[str]) -> bool:
    """Whether there is at most one weight, with at most three decimals."""
    return len(weights) <= 1 and all(map(QVALUE.fullmatch, weights))


def weight_of_representation(
    representation: Representation, ranges: Sequence[MediaRange]
) -> float | None:
    """Return the weight of the most specific range that matches, or `None`."""
    best = max(ranges, key=lambda item: item.specificity(representation))
    return best.weight if best.specificity(representation) else None


def is_named(representation: Representation, ranges: Sequence[MediaRange]) -> bool:
    """Whether a range names the type itself with a weight above 0."""
    return any(item.name == representation.value and item.weight > 0 for item in ranges)
