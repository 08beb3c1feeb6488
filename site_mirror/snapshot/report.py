"""What a freeze did, for people and for programs."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from site_mirror.gates.verdicts import Verdict


class Outcome(StrEnum):
    """`CHECKED`: a release would have been published."""

    PUBLISHED = "published"
    UNCHANGED = "unchanged"
    CHECKED = "checked"


class Report(Struct, frozen=True):
    """What a freeze did; `seconds` by step, `pruned` the releases that made room.

    `release` is the one that is served, `previous` the one before it. `healed` are files of that
    one that were damaged and were made anew, `strange` are names in it that did not belong to it.
    """

    outcome: Outcome
    release: str
    previous: str
    documents: int
    written: int
    kept: int
    removed: int
    redirects: int
    nextDue: str | None
    gates: tuple[Verdict, ...]
    healed: tuple[str, ...]
    strange: tuple[str, ...]
    pruned: tuple[str, ...]
    seconds: dict[str, float]

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> "Report":
        """What `members` tells, read back. Raises `KeyError` or `ValueError` for anything else."""
        told = {name: members[name] for name in cls.__struct_fields__}
        names = {name: tuple(told[name]) for name in ("healed", "strange", "pruned")}
        gates, outcome = tuple(map(Verdict.of, told["gates"])), Outcome(told["outcome"])
        return cls(**told | names | {"gates": gates, "outcome": outcome})

    @property
    def files(self) -> int:
        return self.written + self.kept

    def members(self) -> dict[str, Any]:
        return asdict(self) | {"gates": [verdict.members() for verdict in self.gates]}

    def again(self) -> "Report":
        """Of a freeze that did nothing, for all of it was done."""
        return replace(
            self,
            outcome=Outcome.UNCHANGED,
            previous=self.release,
            written=0,
            kept=self.files,
            removed=0,
            gates=tuple(verdict.stands(self.documents) for verdict in self.gates),
            healed=(),
            strange=(),
            pruned=(),
            seconds={},
        )
