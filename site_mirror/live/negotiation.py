"""The representation of a page that a request's `Accept` prefers (RFC 9110, section 12.5.1).

Django's `request.accepted_types` drops types with a weight of 0 and splits quoted strings at
commas, so the field is read here. `hosts/rules.js` decides alike.
"""

import re
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

MAX_ACCEPT_BYTES = 2048
"""A longer field counts as malformed."""

NAME = r"[!#$%&'*+.^_`|~0-9A-Z-]++"
QUOTED_STRING = r'"(?:[\t !#-\[\]-~]|\\[\t -~])*+"'
PARAMETERS = rf"(?:[\t ]*+;(?![\t ]*+q=)(?:[\t ]*+{NAME}=(?:{NAME}|{QUOTED_STRING}))?+)*+"
WEIGHT = r"(?:[\t ]*+;[\t ]*+q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?+"
MEDIA_RANGE = re.compile(
    rf"(\*/\*|(?!\*/){NAME}/{NAME})({PARAMETERS}){WEIGHT}({PARAMETERS})", re.ASCII | re.IGNORECASE
)
ELEMENT = re.compile(r'(?:"(?:\\.|[^"\\])*+"?|[^",])++')
"""An element of the list; a comma in a quoted string does not end it.

Every repetition is possessive: it does not backtrack, so the time is linear.
"""


class Representation(Enum):
    HTML = "text/html"
    MARKDOWN = "text/markdown"


class MediaRange(Struct, frozen=True):
    """A range of an `Accept`: `type/subtype` in lower case, and its weight."""

    name: str
    has_parameters: bool
    weight: float


def preferred_representation(accept: str | None) -> Representation | None:
    """Return HTML unless Markdown is requested by name; `None` if the field excludes both."""
    ranges = media_ranges(accept or "")
    if not ranges:
        return Representation.HTML
    html, markdown = (weight_of(representation, ranges) for representation in Representation)
    named = any(item.name == "text/markdown" and item.weight for item in ranges)
    if named and (markdown or 0) >= (html or 0):
        return Representation.MARKDOWN
    if not any(item.weight for item in ranges):
        # The field only excludes: types that it does not name are acceptable.
        html, markdown = html is None, markdown is None
    if html:
        return Representation.HTML
    return Representation.MARKDOWN if markdown else None


def weight_of(representation: Representation, ranges: Sequence[MediaRange]) -> float | None:
    """Return the weight of the most specific range that matches, or `None`."""
    precedence = {"*/*": 1, "text/*": 2, representation.value: 3}

    def specificity(item: MediaRange) -> int:
        has_more = item.has_parameters and item.name == representation.value
        return precedence.get(item.name, 0) + has_more

    best = max(ranges, key=specificity)
    return best.weight if specificity(best) else None


def media_ranges(accept: str) -> list[MediaRange]:
    """Return the ranges of a field; an empty list if the field is malformed or too long."""
    if len(accept) > MAX_ACCEPT_BYTES:  # No browser sends that much.
        return []
    ranges = list[MediaRange]()
    for element in filter(None, (text.strip(" \t") for text in ELEMENT.findall(accept))):
        match = MEDIA_RANGE.fullmatch(element)
        if match is None:
            return []
        name, before, weight, after = match.groups()
        ranges.append(MediaRange(name.lower(), "=" in before + after, float(weight or 1)))
    return ranges
