"""How a version's row becomes the headers that announce its end."""

import logging
from collections.abc import Iterable
from time import monotonic

from django.db import Error
from django.utils import timezone
from msgspec import Struct

from api.contract import VERSION
from api.headers import Headers, Retirement
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import ApiVersion, VersionStatus

PAUSE = 2.0
"""Seconds for which a database that failed is not asked again: each attempt may take long."""

logger = logging.getLogger(__name__)


def lifecycle_headers(site: Site, versions: Iterable[ApiVersion]) -> Headers:
    """`Deprecation`, `Sunset` and `Link`, exactly when the row of this version says so."""
    rows = {version.version: version for version in versions}
    ours = rows.get(VERSION)
    if ours is None or ours.deprecation is None or ours.sunset is None:
        return {}
    return Retirement(
        deprecation=ours.deprecation,
        sunset=ours.sunset,
        policy=site.url(addresses.VERSIONING_POLICY),
        successor=successor(site, rows.values()),
    ).headers()


def successor(site: Site, versions: Iterable[ApiVersion]) -> str | None:
    """The index of the current version, where it is another than this one."""
    for version in versions:
        if version.status == VersionStatus.CURRENT and version.version != VERSION:
            return site.url(addresses.version_index(version.version))
    return None


class Announcement(Struct):
    """The lifecycle headers as this process last read them.

    An answer that needs no content (a preflight, a redirect, a refused method, an unknown address)
    must not fail with the database: while that cannot be asked, the headers read last are repeated.
    """

    headers: Headers = {}
    failed: float = float("-inf")
    """When the database could not be asked, by the monotonic clock."""

    def now(self, site: Site) -> Headers:
        """As the rows of versions say, or said when the database could be asked."""
        if monotonic() < self.failed + PAUSE:
            return self.headers
        try:
            self.headers = lifecycle_headers(site, questions.versions(timezone.now()))
        except Error as error:
            self.failed = monotonic()
            logger.warning("The versions of the API cannot be read: %s", error)
        return self.headers


ANNOUNCEMENT = Announcement()
