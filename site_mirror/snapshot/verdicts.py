"""The verdicts of gates about a release, as text and as members of a report."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

MAX_FAILURES_IN_REPORT = 10
"""Failures that are described; of more, only the number is reported."""


class Verdict(Struct, frozen=True):
    """The verdict of a gate.

    `checked` counts the `things` that this freeze checked, `held` documents that are unchanged
    since an earlier check. A gate that had nothing to check fails unless there is a `reason` for
    that.
    """

    gate: str
    things: str
    checked: int
    failures: tuple[str, ...] = ()
    held: int = 0
    reason: str = ""

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def passed(self) -> bool:
        return not self.failed and bool(self.checked or self.held or self.reason)

    def members(self) -> dict[str, Any]:
        members = {
            "gate": self.gate,
            "things": self.things,
            "checked": self.checked,
            "held": self.held,
            "passed": self.passed,
            "failed": self.failed,
            "failures": list(self.words()),
        }
        return members | ({"reason": self.reason} if self.reason else {})

    def words(self) -> Iterable[str]:
        """Describe why the gate did not pass; yield nothing if it did."""
        if self.failed:
            yield from self.failures[:MAX_FAILURES_IN_REPORT]
        elif not self.passed:
            yield f"There were no {self.things} to check."

    def __str__(self) -> str:
        more = self.failed - MAX_FAILURES_IN_REPORT
        rest = [f"    and {more} more"] if more > 0 else []
        lines = (f"    {words}" for words in self.words())
        return "\n".join([f"  {self.gate}: {self.summary()}", *lines, *rest])

    def summary(self) -> str:
        if self.reason and not self.checked:
            return self.reason
        held = f", and {self.held} documents as before" if self.held else ""
        failed = f", {self.failed} FAILED" if self.failed else ""
        return f"{self.checked} {self.things}{held}{failed}"
