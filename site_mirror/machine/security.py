"""`/.well-known/security.txt`: whom to tell of a weakness. Source: RFC 9116."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.moments import iso_moment

VALID = timedelta(days=180)
LONGEST_MONTH = timedelta(days=31)


def text(site: Site, *, contact: str, policy: str, languages: Sequence[str], at: datetime) -> bytes:
    """The file as it is in the month of a moment; `policy` and `languages` may be empty."""
    fields = {
        "Contact": contact,
        "Expires": iso_moment(expiry(at)),
        "Preferred-Languages": ", ".join(languages),
        "Canonical": site.url(addresses.SECURITY),
        "Policy": site.url(policy),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value).encode()


def expiry(at: datetime) -> datetime:
    """149 to 180 days ahead, and the same all month, so that no byte changes within it."""
    return month(at) + VALID


def renewal(at: datetime) -> datetime:
    """When the file of a moment is no longer today's."""
    return month(month(at) + LONGEST_MONTH)


def month(at: datetime) -> datetime:
    """Its first moment, UTC."""
    return at.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
