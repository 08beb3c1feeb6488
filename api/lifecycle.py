"""How a version's row becomes the headers that announce its end."""

from collections.abc import Iterable

from api.contract import VERSION
from api.headers import Headers, Retirement
from catalogue import addresses
from catalogue.addresses import Site
from catalogue.models import ApiVersion, VersionStatus


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
