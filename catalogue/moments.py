"""The format of published moments: UTC, to the second."""

from datetime import UTC, datetime


def iso_moment(moment: datetime) -> str:
    """Return a moment in the format of RFC 3339, in UTC: `2027-06-30T23:59:59Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
