"""What a gate says of a release, in words and as members of a report."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

MOST = 10
"""Failures that are told in words; of the rest only the number is told."""


class Verdict(Struct, frozen=True):
    """What a gate found.

    `checked` counts `things` examined now, `held` documents whose earlier examination still
    stands. `failures` are the first in words, `failed` is how many there are. A gate that had
    nothing to check fails, unless it knows the `reason`.
    """

    gate: str
    things: str
    checked: int
    failures: tuple[str, ...] = ()
    failed: int = 0
    held: int = 0
    reason: str = ""

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> "Verdict":
        """What `members` tells, read back."""
        counts = {name: members[name] for name in ("gate", "checked", "held", "failed", "things")}
        return cls(**counts, failures=tuple(members["failures"]), reason=members.get("reason", ""))

    def stands(self, documents: int) -> "Verdict":
        """What it says while not one of the documents has changed."""
        return replace(self, checked=0, held=documents)

    @property
    def passed(self) -> bool:
        return not self.failed and bool(self.checked or self.held or self.reason)

    def members(self) -> dict[str, Any]:
        told = {
            "gate": self.gate,
            "things": self.things,
            "checked": self.checked,
            "held": self.held,
            "passed": self.passed,
            "failed": self.failed,
            "failures": list(self.words()),
        }
        return told | ({"reason": self.reason} if self.reason else {})

    def words(self) -> Iterable[str]:
        """Why it did not pass; nothing if it did."""
        if self.failed:
            yield from self.failures
        elif not self.passed:
            yield f"There were no {self.things} to check."

    def __str__(self) -> str:
        """A line, and one for each failure."""
        more = self.failed - len(self.failures)
        rest = [f"    and {more} more"] if more else []
        lines = (f"    {words}" for words in self.words())
        return "\n".join([f"  {self.gate}: {self.counted()}", *lines, *rest])

    def counted(self) -> str:
        if self.reason and not self.checked:
            return self.reason
        held = f", and {self.held} documents as before" if self.held else ""
        failed = f", {self.failed} FAILED" if self.failed else ""
        return f"{self.checked} {self.things}{held}{failed}"


class Failures(Struct):
    """Failures of a gate while they are counted: the first in words, of the rest the number."""

    first: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, words: str) -> None:
        self.count += 1
        if len(self.first) < MOST:
            self.first.append(words)

    def verdict(
        self, gate: str, things: str, checked: int, *, held: int = 0, reason: str = ""
    ) -> Verdict:
        return Verdict(gate, things, checked, tuple(self.first), self.count, held, reason)


def of_all(failures: Iterable[str]) -> Failures:
    found = Failures()
    for words in failures:
        found.add(words)
    return found
