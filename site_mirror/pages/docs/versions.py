"""The page about versioning: the editors' text, and a table of the API's versions."""

from datetime import UTC, datetime

from django.utils.translation import gettext as _

from api.contract import VERSION
from catalogue import addresses
from catalogue.models import ApiVersion
from catalogue.moments import iso_moment
from site_mirror.pages import days
from site_mirror.pages.blocks import Inline, Link, Literal, Moment, Section, Table
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import PageOfRows, compose_standing

NO_VALUE = "—"


def compose_page(frame: Frame, subject: PageOfRows) -> PageContent:
    if not subject.rows:
        return compose_standing(frame, subject.page)
    headings = [_("Version"), _("Contract version"), _("Status"), _("Released")]
    headings += [_("Deprecated from"), _("Retired from")]
    rows = [version_row(frame, version) for version in subject.rows]
    table = Table(_("Versions at a glance"), headings, rows)
    section = Section("all-versions", _("All versions"), [table])
    return compose_standing(frame, subject.page, [section])


def version_row(frame: Frame, version: ApiVersion) -> list[Inline]:
    name = version.version
    return [
        # Only the version that is served has an index to link to.
        Link(name, addresses.version_index(name)) if name == VERSION else name,
        Literal(version.api_version),
        Literal(version.status),
        frame.day(version.released),
        lifecycle_moment(frame, version.deprecation),
        lifecycle_moment(frame, version.sunset),
    ]


def lifecycle_moment(frame: Frame, value: datetime | None) -> Inline:
    if value is None:
        return NO_VALUE
    in_utc = value.astimezone(UTC)
    day = days.format_day(frame.language, in_utc)
    return Moment(iso_moment(value), f"{day}, {in_utc:%H:%M} UTC")
