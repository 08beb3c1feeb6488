"""The ledger: an object with the name of the published release and a digest of each object.

It lists only verified objects. Objects that will change are removed from it before the first
upload, and it names the release after the last object was read back.
"""

from collections.abc import Mapping

import orjson
from msgspec import Struct
from msgspec.structs import asdict

LEDGER_KEY = ".release.json"
LEDGER_FORMAT = 1


class LedgerLine(Struct, frozen=True):
    """An object: the `digest` of its `BucketObject`, and the bucket's own ETag without quotes."""

    digest: str
    tag: str


class BucketLedger(Struct, frozen=True):
    """The ledger; `release` is empty while a release is uploaded."""

    release: str
    lines: Mapping[str, LedgerLine]

    def encode(self) -> bytes:
        lines = {key: asdict(line) for key, line in self.lines.items()}
        members = {"format": LEDGER_FORMAT, "release": self.release, "objects": lines}
        return orjson.dumps(members, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)


def decode_ledger(body: bytes) -> BucketLedger | None:
    """Return the ledger, or `None` if this program did not write the object."""
    try:
        members = orjson.loads(body)
        if members["format"] != LEDGER_FORMAT:
            return None
        lines = {key: LedgerLine(**line) for key, line in members["objects"].items()}
        return BucketLedger(str(members["release"]), lines)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
