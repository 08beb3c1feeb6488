"""Anchors of headings: the part of a link after its `#`."""

import re
import unicodedata
from functools import lru_cache

NAMELESS = "section"

_FOLDED = str.maketrans("đĐ", "dD")
_NOT_IN_ANCHORS = re.compile(r"[^a-z0-9\s_-]")
_GAP = re.compile(r"[\s_-]+")


@lru_cache(maxsize=4096)
def anchor_slug(heading: str) -> str:
    """Return a heading as ASCII letters, digits and hyphens: `Điều chỉnh (2)` is `dieu-chinh-2`."""
    decomposed = unicodedata.normalize("NFKD", heading.translate(_FOLDED))
    ascii_only = decomposed.encode("ascii", "ignore").decode().lower()
    return _GAP.sub("-", _NOT_IN_ANCHORS.sub("", ascii_only)).strip("-") or NAMELESS


class Anchors:
    """The anchors of one text; an equal heading gets a number.

    For speed, `numbers` has the last number of each name.
    """

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}

    def name(self, heading: str) -> str:
        wanted = free = anchor_slug(heading)
        number = self.numbers.get(wanted, 0)
        while free in self.taken:
            number += 1
            free = f"{wanted}-{number}"
        self.numbers[wanted] = number
        self.taken.add(free)
        return free
