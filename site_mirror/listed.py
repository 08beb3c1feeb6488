"""Lists of the API from documents that are made already: no row is read or shaped twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from api.envelope import Items
from site_mirror.snapshot.portions import Bytes, Entries, Range


class Listings(Struct):
    """Where the items of lists are, by the family of their documents, as these are collected.

    `file` has them once the freeze has begun.
    """

    file: Path = Path()
    groups: dict[str, list[Range]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, entries: Entries) -> None:
        for family, (place, count) in entries.items():
            self.groups.setdefault(family, []).append(place)
            self.counts[family] = self.counts.get(family, 0) + count

    def items(self, family: str) -> Items:
        return Items(Groups(self.file, self.groups.get(family, [])), self.counts.get(family, 0))


class Groups(Struct, frozen=True):
    """Parts of a file, read whenever somebody looks at them."""

    file: Path
    ranges: Sequence[Range]

    def __iter__(self) -> Iterator[bytes]:
        if self.ranges:
            with self.file.open("rb") as file:
                yield from map(Bytes(file).part, self.ranges)
