"""`/.well-known/security.txt`: the contact for reports of vulnerabilities. Source: RFC 9116."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.moments import iso_moment

VALIDITY = timedelta(days=180)
LONGEST_MONTH = timedelta(days=31)


def security_txt(
    site: Site, *, contact: str, policy: str, languages: Sequence[str], at: datetime
) -> bytes:
    """Return the file in the month of a moment; `policy` and `languages` may be empty."""
    fields = {
        "Contact": contact,
        "Expires": iso_moment(expiry(at)),
        "Preferred-Languages": ", ".join(languages),
        "Canonical": site.url(addresses.SECURITY_TXT),
        "Policy": site.url(policy),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value).encode()


def expiry(at: datetime) -> datetime:
    """Return a moment in 149 to 180 days, constant within a month so that no byte changes."""
    return start_of_month(at) + VALIDITY


def renewal(at: datetime) -> datetime:
    """Return the moment from which the file has another expiry."""
    return start_of_month(start_of_month(at) + LONGEST_MONTH)


def start_of_month(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
