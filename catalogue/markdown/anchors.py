"""Names of headings: what stands behind the `#` of a link to a section."""

import re
import unicodedata
from functools import lru_cache
from itertools import count

NAMELESS = "section"

_FOLDED = str.maketrans("đĐ", "dD")
_DROPPED = re.compile(r"[^a-z0-9\s_-]")
_GAP = re.compile(r"[\s_-]+")


@lru_cache(maxsize=8192)
def slug(heading: str) -> str:
    """ASCII letters, digits and single hyphens: `Điều chỉnh (2)` is `dieu-chinh-2`."""
    plain = unicodedata.normalize("NFKD", heading.translate(_FOLDED))
    ascii_only = plain.encode("ascii", "ignore").decode().lower()
    return _GAP.sub("-", _DROPPED.sub("", ascii_only)).strip("-") or NAMELESS


class Anchors:
    """The names that one text has given away; a second heading alike gets a number."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def name(self, heading: str) -> str:
        wanted = slug(heading)
        names = (f"{wanted}-{number}" if number else wanted for number in count())
        free = next(name for name in names if name not in self.taken)
        self.taken.add(free)
        return free
