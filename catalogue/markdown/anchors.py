"""Names of headings: what stands behind the `#` of a link to a section."""

import re
import unicodedata

from catalogue.budgets import MEGABYTE, remembered

NAMELESS = "section"

_FOLDED = str.maketrans("đĐ", "dD")
_DROPPED = re.compile(r"[^a-z0-9\s_-]")
_GAP = re.compile(r"[\s_-]+")


@remembered(4 * MEGABYTE)
def slug(heading: str) -> str:
    """ASCII letters, digits and single hyphens: `Điều chỉnh (2)` is `dieu-chinh-2`."""
    plain = unicodedata.normalize("NFKD", heading.translate(_FOLDED))
    ascii_only = plain.encode("ascii", "ignore").decode().lower()
    return _GAP.sub("-", _DROPPED.sub("", ascii_only)).strip("-") or NAMELESS


class Anchors:
    """The names that one text has given away; a second heading alike gets a number.

    `numbers` has the last number of each name, so that many headings alike are not counted anew.
    """

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}

    def name(self, heading: str) -> str:
        wanted = free = slug(heading)
        number = self.numbers.get(wanted, 0)
        while free in self.taken:
            number += 1
            free = f"{wanted}-{number}"
        self.numbers[wanted] = number
        self.taken.add(free)
        return free
