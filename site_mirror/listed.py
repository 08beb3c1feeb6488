"""Lists of the API from documents that are made already: no row is read or shaped twice."""

from dataclasses import dataclass, field

from api.envelope import Items
from site_mirror.snapshot.portions import Portion


@dataclass(slots=True)
class Listings:
    """The items of lists by the family of their documents, as these are collected."""

    groups: dict[str, list[bytes]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, portion: Portion) -> None:
        for family, (items, count) in portion.entries.items():
            self.groups.setdefault(family, []).append(items)
            self.counts[family] = self.counts.get(family, 0) + count

    def items(self, family: str) -> Items:
        return Items(self.groups.get(family, []), self.counts.get(family, 0))
