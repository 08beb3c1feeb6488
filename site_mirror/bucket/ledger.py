"""The ledger: an object that says which release a bucket holds, and what each object is.

It names only what is certain. Before the first upload it loses every object that will change, and
only after the last one was read back does it name the release.
"""

from collections.abc import Mapping

import orjson
from msgspec import Struct
from msgspec.structs import asdict

KEY = ".release.json"
FORMAT = 1


class Line(Struct, frozen=True):
    """`digest` is an `Item`'s; `tag` the bucket's own ETag, without quotes."""

    digest: str
    tag: str


class Ledger(Struct, frozen=True):
    """`release` is empty while one is under way."""

    release: str
    lines: Mapping[str, Line]

    def encoded(self) -> bytes:
        lines = {key: asdict(line) for key, line in self.lines.items()}
        members = {"format": FORMAT, "release": self.release, "objects": lines}
        return orjson.dumps(members, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)


def decoded(body: bytes) -> Ledger | None:
    """None where this program did not write it: an object is written whole or not at all."""
    try:
        members = orjson.loads(body)
        if members["format"] != FORMAT:
            return None
        lines = {key: Line(**line) for key, line in members["objects"].items()}
        return Ledger(str(members["release"]), lines)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
