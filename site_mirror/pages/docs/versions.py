"""The page about versioning: the editors' text, and a table of the API's versions."""

from datetime import UTC, datetime

from django.utils.translation import gettext as _

from api.contract import VERSION
from catalogue import addresses
from catalogue.models import ApiVersion
from catalogue.moments import iso_moment
from site_mirror.pages import days
from site_mirror.pages.blocks import Inline, Link, Literal, Moment, Section, Table
from site_mirror.pages.docs.phrases import NO_VALUE
from site_mirror.pages.docs.sources import VersioningPolicy
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing


def compose(frame: Frame, subject: VersioningPolicy) -> PageContent:
    if not subject.versions:
        return compose_standing(frame, subject.page)
    headings = [
        _("Version"),
        _("Contract version"),
        _("Status"),
        _("Released"),
        _("Deprecated from"),
        _("Stops answering"),
    ]
    table = Table(
        _("Versions at a glance"), headings, [version_row(frame, each) for each in subject.versions]
    )
    return compose_standing(
        frame, subject.page, [Section("all-versions", _("All versions"), [table])]
    )


def version_row(frame: Frame, version: ApiVersion) -> list[Inline]:
    return [
        version_name(version),
        Literal(version.api_version),
        Literal(version.status),
        frame.day(version.released),
        lifecycle_moment(frame, version.deprecation),
        lifecycle_moment(frame, version.sunset),
    ]


def version_name(version: ApiVersion) -> Inline:
    """Return the name of a version; that of the published one links to its index."""
    if version.version == VERSION:
        return Link(version.version, addresses.version_index(version.version))
    return version.version


def lifecycle_moment(frame: Frame, value: datetime | None) -> Inline:
    """Return a moment to the minute in UTC, or a dash if it has not been announced."""
    if value is None:
        return NO_VALUE
    in_utc = value.astimezone(UTC)
    day = days.format_day(frame.language, in_utc)
    return Moment(iso_moment(value), f"{day}, {in_utc:%H:%M} UTC")
