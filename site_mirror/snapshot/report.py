"""The report of a freeze, for people and for programs."""

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from site_mirror.snapshot.changes import Difference
from site_mirror.snapshot.verdicts import Verdict


class Outcome(StrEnum):
    """`CHECKED`: a release would have been published."""

    PUBLISHED = "published"
    UNCHANGED = "unchanged"
    CHECKED = "checked"


class Report(Struct, frozen=True):
    """The report of a freeze.

    `release` is the current release, `previous` the one before it. `written` and `kept` count
    files, `removed` documents. `healed` are damaged files of the previous release, which were built
    again; `strange` are names in it that its manifest does not have. `seconds` is the time of each
    step. `differences` are empty unless they were requested.
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
    seconds: dict[str, float]
    differences: tuple[Difference, ...] = ()

    @property
    def files(self) -> int:
        return self.written + self.kept

    def members(self) -> dict[str, Any]:
        members = asdict(self) | {"gates": [verdict.members() for verdict in self.gates]}
        del members["differences"]
        return members

    def lasting_members(self) -> dict[str, Any]:
        passing = ("outcome", "seconds")
        return {name: value for name, value in self.members().items() if name not in passing}

    def as_unchanged(self) -> "Report":
        return replace(
            self,
            outcome=Outcome.UNCHANGED,
            previous=self.release,
            written=0,
            kept=self.files,
            removed=0,
            gates=tuple(replace(verdict, checked=0, held=self.documents) for verdict in self.gates),
            healed=(),
            strange=(),
            seconds={},
        )
