"""Why a freeze fails.

FreezeError
├── TargetBusy         another freeze is at work in the target
├── TargetUnusable     the target cannot be written: no right, no room, not a folder
├── Unreadable         the content cannot be read
├── TwoOnOneFile       two documents would be written to one file
├── NothingToPublish   there is no studio
├── WrongVersion       the row of the served API version is missing or says otherwise
└── InvalidDocument    a document is not what the contract promises
"""

from pathlib import Path, PurePosixPath


class FreezeError(Exception):
    """The snapshot was not published; what was published before is as it was."""


class TargetBusy(FreezeError):
    def __init__(self, target: Path, holder: str) -> None:
        super().__init__(f"Another freeze{holder} is at work in {target}. Wait until it has ended.")


class TargetUnusable(FreezeError):
    def __init__(self, target: Path, error: OSError) -> None:
        where = f" ({error.filename})" if error.filename else ""
        super().__init__(f"{target} cannot be written: {error.strerror}{where}.")


class Unreadable(FreezeError):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The content cannot be read: {reason}. Is the database migrated?")


class TwoOnOneFile(FreezeError):
    def __init__(self, file: PurePosixPath, addresses: tuple[str, str]) -> None:
        super().__init__(f"{addresses[0]} and {addresses[1]} would both be written to {file}.")


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
