"""The headers that announce the end of a version, from the row of the version."""

import logging
from collections.abc import Iterable
from time import monotonic

from django.db import Error
from django.utils import timezone
from msgspec import Struct

from api.contract import VERSION
from api.headers import Headers, http_date
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import ApiVersion, VersionStatus

DATABASE_RETRY_SECONDS = 2.0
"""Time without attempts after an error of the database, because each attempt may take long."""

logger = logging.getLogger(__name__)


def lifecycle_headers(site: Site, versions: Iterable[ApiVersion]) -> Headers:
    """Return `Deprecation`, `Sunset` and `Link` if the row of this version has both moments.

    Sources: RFC 9745, RFC 8594.
    """
    rows = {version.version: version for version in versions}
    ours = rows.get(VERSION)
    if ours is None or ours.deprecation is None or ours.sunset is None:
        return {}
    policy = site.url(addresses.VERSIONING_POLICY)
    links = [
        f'<{policy}>; rel="{relation}"; type="text/html"' for relation in ("deprecation", "sunset")
    ]
    current = (name for name, row in rows.items() if row.status == VersionStatus.CURRENT)
    if successor := next((name for name in current if name != VERSION), None):
        address = site.url(addresses.version_index(successor))
        links.append(f'<{address}>; rel="successor-version"')
    return {
        "Deprecation": f"@{int(ours.deprecation.timestamp())}",
        "Sunset": http_date(ours.sunset),
        "Link": ", ".join(links),
    }


class Announcement(Struct):
    """The lifecycle headers that this process read last.

    A response that needs no content (to a preflight, a redirect, a refused method, an unknown
    address) must not fail with the database. While the database does not answer, it has the headers
    that were read last.
    """

    headers: Headers = {}
    failed: float = float("-inf")
    """The moment of the last error of the database, by the monotonic clock."""

    def current_headers(self, site: Site) -> Headers:
        """Return the present headers, or those read last if the database does not answer."""
        if monotonic() < self.failed + DATABASE_RETRY_SECONDS:
            return self.headers
        try:
            self.headers = lifecycle_headers(site, questions.versions(timezone.now()))
        except Error as error:
            self.failed = monotonic()
            logger.warning("The versions of the API cannot be read: %s", error)
        return self.headers


ANNOUNCEMENT = Announcement()
