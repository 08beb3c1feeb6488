"""The policy of the API's versions, as an editor wrote it, and the versions themselves."""

from datetime import UTC, datetime

from django.utils.translation import gettext as _

from api.contract import VERSION
from catalogue import addresses
from catalogue.models import ApiVersion
from catalogue.moments import iso_moment
from site_mirror.pages import days
from site_mirror.pages.blocks import Inline, Link, Literal, Moment, Section, Table
from site_mirror.pages.docs.phrases import NOTHING
from site_mirror.pages.docs.sources import Versioned
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing


def compose(frame: Frame, subject: Versioned) -> Page:
    if not subject.versions:
        return standing(frame, subject.page)
    headings = [
        _("Version"),
        _("Contract version"),
        _("Status"),
        _("Released"),
        _("Deprecated from"),
        _("Stops answering"),
    ]
    table = Table(
        _("Versions at a glance"), headings, [row(frame, each) for each in subject.versions]
    )
    return standing(frame, subject.page, [Section("all-versions", _("All versions"), [table])])


def row(frame: Frame, version: ApiVersion) -> list[Inline]:
    return [
        name(version),
        Literal(version.api_version),
        Literal(version.status),
        frame.day(version.released),
        moment(frame, version.deprecation),
        moment(frame, version.sunset),
    ]


def name(version: ApiVersion) -> Inline:
    """Leads to the index of the version that this site publishes."""
    if version.version == VERSION:
        return Link(version.version, addresses.version_index(version.version))
    return version.version


def moment(frame: Frame, value: datetime | None) -> Inline:
    """To the minute in UTC; nothing before it is announced."""
    if value is None:
        return NOTHING
    there = value.astimezone(UTC)
    return Moment(iso_moment(value), f"{days.day(frame.language, there)}, {there:%H:%M} UTC")
