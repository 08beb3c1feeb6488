"""Errors of the publication in a bucket. After each of them, no object was deleted."""


class BucketError(Exception):
    """An error whose message is a sentence with the fault and, if there is one, the remedy."""


class BucketFailed(BucketError):
    """A failed request to the bucket."""

    def __init__(self, doing: str, error: Exception) -> None:
        reason = str(error).partition("\n")[0].partition(": <?xml")[0]
        super().__init__(f"{doing} failed: {reason}")


class ForeignObjects(BucketError):
    def __init__(self, objects: int, ledger: str) -> None:
        super().__init__(
            f"The bucket holds {objects} objects and no {ledger} of this program: "
            "no release was published there, "
            "and these objects would be deleted. Name an empty bucket or another prefix."
        )


class UploadDiffers(BucketError):
    def __init__(self, key: str, what: str, others: int) -> None:
        more = f" (and {others} more)" if others else ""
        super().__init__(f"{key} is not in the bucket as it was sent: {what}{more}.")


class DamagedFile(BucketError):
    def __init__(self, key: str) -> None:
        super().__init__(
            f"The file of {key} is not a regular file of the manifest's digest, and was not sent. "
            "Run “manage.py snapshot verify”."
        )


class InvalidBucketAddress(BucketError):
    def __init__(self, found: str) -> None:
        super().__init__(f"{found!r} is not a bucket: use s3://NAME or s3://NAME/PREFIX.")


class InvalidVariable(BucketError):
    """A variable or an argument with which no client of a bucket can be created."""
