"""The documents that a freeze has built, from which it makes lists."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from api.envelope import Items

Range = tuple[int, int]
"""Offset and length of some bytes of a file."""


class Built(Struct, frozen=True):
    """The documents that were built so far.

    `public` is the public folder. `file` has documents as items of lists; `ranges` are those of the
    items of each family, `counts` their numbers.
    """

    public: Path
    file: Path
    ranges: Mapping[str, Sequence[Range]]
    counts: Mapping[str, int]

    def items_of(self, family: str) -> Items:
        parts = FileParts(self.file, self.ranges.get(family, ()))
        return Items(parts, self.counts.get(family, 0))


class FileParts(Struct, frozen=True):
    """Ranges of a file; each iteration reads them again."""

    file: Path
    ranges: Sequence[Range]

    def __iter__(self) -> Iterator[bytes]:
        if self.ranges:
            with self.file.open("rb") as file:
                for offset, length in self.ranges:
                    file.seek(offset)
                    yield file.read(length)
