"""Why a release is not, or not wholly, in a bucket. Nothing was deleted from it."""


class BucketError(Exception):
    """The message says what was found and what to do."""


class BucketFailed(BucketError):
    """The bucket, or the way to it."""

    def __init__(self, doing: str, error: Exception) -> None:
        reason = str(error).partition("\n")[0].partition(": <?xml")[0]
        super().__init__(f"{doing} failed: {reason}")


class NotOurs(BucketError):
    def __init__(self, objects: int, ledger: str) -> None:
        super().__init__(
            f"The bucket holds {objects} objects and no {ledger} of this program: "
            "no release was published there, "
            "and what is there would be deleted. Name an empty bucket or another prefix."
        )


class NotAsSent(BucketError):
    def __init__(self, key: str, what: str, others: int) -> None:
        more = f" (and {others} more)" if others else ""
        super().__init__(f"{key} is not in the bucket as it was sent: {what}{more}.")


class Damaged(BucketError):
    def __init__(self, key: str) -> None:
        super().__init__(
            f"The file of {key} is not a regular file of the manifest's digest, and was not sent. "
            "Run “manage.py snapshot verify”."
        )


class NoBucket(BucketError):
    def __init__(self, found: str) -> None:
        super().__init__(f"{found!r} is no bucket: use s3://NAME or s3://NAME/PREFIX.")


class WrongValue(BucketError):
    """A variable or an argument that no store can be made of."""
