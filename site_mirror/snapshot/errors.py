"""Why a freeze fails, or what is done to its releases.

FreezeError
├── TargetBusy         another process is at work in the target
├── TargetUnusable     the target cannot be written: no right, no room, not a folder
├── Unreadable         the content cannot be read
├── NotRendered        a document could not be made
├── WorkerLost         a process that renders has ended by itself
├── TwoOnOneFile       two documents would be written to one file
├── NothingToPublish   there is no studio
├── WrongVersion       the row of the served API version is missing or says otherwise
├── InvalidDocument    a document is not what the contract promises
├── GatesFailed        the release as a whole must not be published
├── NoSuchRelease      there is no release of that name
├── NoRelease          a folder is no release, and holds none
├── ReleaseDamaged     a release is not as it was published
├── ManifestDamaged    a manifest is not as it was written
├── Unanswered         nobody answers at an address
├── UnusableKey        a text is no Ed25519 key of its kind
└── UnusableArchive    an archive cannot be written there
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from site_mirror.gates.verdicts import Verdict


class FreezeError(Exception):
    """Nothing was published; what was published before is as it was."""

    def members(self) -> dict[str, Any]:
        """What a report in JSON has beside the message."""
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
    """Fit to travel from the process that met it."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"{address} cannot be rendered: {reason}.")
        self.address, self.reason = address, reason

    def __reduce__(self) -> tuple[type["NotRendered"], tuple[str, str]]:
        return type(self), (self.address, self.reason)


class WorkerLost(FreezeError):
    def __init__(self) -> None:
        super().__init__(
            "A process that renders has ended by itself; is there memory enough? "
            "--jobs 1 renders in one process."
        )


class TwoOnOneFile(FreezeError):
    def __init__(self, file: str, addresses: Iterable[str]) -> None:
        super().__init__(f"{' and '.join(addresses)} would both be written to {file}.")


class NothingToPublish(FreezeError):
    def __init__(self) -> None:
        super().__init__(
            "There is no studio to publish. Is the database the right one? "
            "An empty one is filled by “manage.py load_content”."
        )


class WrongVersion(FreezeError):
    def __init__(self, version: str, found: str, served: str) -> None:
        super().__init__(
            f"The catalogue says that {version} is at {found}, and this program serves {served}. "
            "Correct the row in the admin, or run the program that it describes."
        )


class InvalidDocument(FreezeError):
    def __init__(self, address: str, where: str, what: str) -> None:
        super().__init__(f"{address} does not keep the contract at {where}: {what}")


class GatesFailed(FreezeError):
    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self.verdicts = tuple(verdicts)
        failed = sum(not verdict.passed for verdict in self.verdicts)
        told = "\n".join(map(str, self.verdicts))
        super().__init__(
            f"Nothing was published: {failed} of {len(self.verdicts)} gates failed.\n{told}"
        )

    def members(self) -> dict[str, Any]:
        return {"gates": [verdict.members() for verdict in self.verdicts]}


class NoSuchRelease(FreezeError):
    def __init__(self, target: Path, release: str, found: Iterable[str]) -> None:
        there = ", ".join(found) or "none"
        super().__init__(f"{target} has no release {release!r}. It has: {there}.")


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
    """The message is that of the connection."""


class UnusableKey(FreezeError):
    def __init__(self, kind: str) -> None:
        super().__init__(
            f"This is no {kind} Ed25519 key: use a line that “manage.py snapshot key” has printed."
        )


class UnusableArchive(FreezeError):
    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"The archive {file} cannot be written: {reason}.")
