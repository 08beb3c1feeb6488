"""The errors of a freeze, and of operations on its releases, with messages for people.

An error that is caught, or that several modules raise, has a class of its own.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from site_mirror.snapshot.verdicts import Verdict


class FreezeError(Exception):
    """An operation failed: it published nothing, and the current release is unchanged."""

    def members(self) -> dict[str, Any]:
        return {}


class NotRendered(FreezeError):
    """A document could not be rendered."""


class GatesFailed(FreezeError):
    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self.verdicts = tuple(verdicts)
        failed = sum(not verdict.passed for verdict in self.verdicts)
        report = "\n".join(map(str, self.verdicts))
        super().__init__(
            f"Nothing was published: {failed} of {len(self.verdicts)} gates failed.\n{report}"
        )

    def members(self) -> dict[str, Any]:
        return {"gates": [verdict.members() for verdict in self.verdicts]}


class NoRelease(FreezeError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} holds no release. Name a target of “manage.py freeze”, or a release in it."
        )


class ManifestDamaged(FreezeError):
    def __init__(self, manifest: Path, reason: str) -> None:
        super().__init__(f"{manifest} is not as it was written: {reason}.")
