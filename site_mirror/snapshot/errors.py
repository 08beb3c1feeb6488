"""The errors of a freeze, and of operations on its releases.

FreezeError
├── TargetBusy         another process uses the target
├── TargetUnusable     the target cannot be written: no permission, no space, not a folder
├── Unreadable         the content cannot be read
├── NotRendered        a document could not be rendered
├── WorkerLost         a worker ended unexpectedly
├── NothingToPublish   there is no studio
├── WrongVersion       the row of the served API version is missing or has another version
├── GatesFailed        the release does not pass its gates
├── NoSuchRelease      the target has no release of that name
├── NoRelease          a folder is not a release, and does not contain one
├── ReleaseDamaged     a release is not as it was published
├── ManifestDamaged    a manifest is not as it was written
└── Unanswered         a server does not respond
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from site_mirror.snapshot.verdicts import Verdict


class FreezeError(Exception):
    """A freeze failed: it published nothing, and the current release is unchanged."""

    def members(self) -> dict[str, Any]:
        """Return the members of a JSON report beside the message."""
        return {}


class TargetBusy(FreezeError):
    def __init__(self, target: Path, holder: str) -> None:
        super().__init__(
            f"Another process{holder} is at work in {target}. Wait until it has ended."
        )


class TargetUnusable(FreezeError):
    def __init__(self, target: Path, error: OSError) -> None:
        where = f" ({error.filename})" if error.filename else ""
        super().__init__(f"{target} cannot be written: {error.strerror}{where}.")
        self.reason = error.strerror


class Unreadable(FreezeError):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The content cannot be read: {reason}. Is the database migrated?")


class NotRendered(FreezeError):
    """A document could not be rendered; workers send this error to the main process."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"{address} cannot be rendered: {reason}.")
        self.address, self.reason = address, reason

    def __reduce__(self) -> tuple[type["NotRendered"], tuple[str, str]]:
        return type(self), (self.address, self.reason)


class WorkerLost(FreezeError):
    def __init__(self) -> None:
        super().__init__(
            "A worker ended unexpectedly; is there enough memory? --jobs 1 renders in one process."
        )


class NothingToPublish(FreezeError):
    def __init__(self) -> None:
        super().__init__(
            "There is no studio to publish. Is the database the right one? "
            "In a new one, write the profile of your studio in the admin (docs/start.md), "
            "or load the example that is shipped: “manage.py load_content”."
        )


class WrongVersion(FreezeError):
    def __init__(self, version: str, actual: str, served: str) -> None:
        super().__init__(
            f"The catalogue says that {version} is at {actual}, and this program serves {served}. "
            "Correct the row in the admin, or run the program that it describes."
        )


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


class NoSuchRelease(FreezeError):
    def __init__(self, target: Path, release: str, existing: Iterable[str]) -> None:
        names = ", ".join(existing) or "none"
        super().__init__(f"{target} has no release {release!r}. It has: {names}.")


class NoRelease(FreezeError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} holds no release. Name a target of “manage.py freeze”, or a release in it."
        )


class ReleaseDamaged(FreezeError):
    def __init__(self, release: str, reason: str, others: int = 0) -> None:
        more = f" (and {others} more)" if others else ""
        super().__init__(f"Release {release} is not as it was published: {reason}{more}.")


class ManifestDamaged(FreezeError):
    def __init__(self, manifest: Path, reason: str) -> None:
        super().__init__(f"{manifest} is not as it was written: {reason}.")


class Unanswered(FreezeError):
    """A server did not respond; the message is that of the connection."""
