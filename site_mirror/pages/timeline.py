"""The timeline of the studio and of its founder."""

from collections.abc import Iterable
from itertools import groupby

from catalogue.models import TimelineEntry, TimelineLink
from site_mirror.pages.blocks import Link, Milestone, Milestones, Section
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import PageOfRows, compose_standing
from site_mirror.pages.texts import localized_text


def compose_page(frame: Frame, subject: PageOfRows) -> PageContent:
    by_year = groupby(subject.rows, key=lambda entry: entry.date[:4])
    years = [
        Section(f"y{year}_", year, [compose_milestones(frame, rows)], "year")
        for year, rows in by_year
    ]
    return compose_standing(frame, subject.page, years, style="timeline")


def compose_milestones(frame: Frame, rows: Iterable[TimelineEntry]) -> Milestones:
    return Milestones([compose_milestone(frame, row) for row in rows])


def compose_milestone(frame: Frame, row: TimelineEntry) -> Milestone:
    return Milestone(
        id=row.slug,
        date=frame.partial_date(row.date),
        subject=str(row.get_subject_display()),
        title=localized_text(frame, row, "title"),
        description=localized_text(frame, row, "description"),
        links=[milestone_link(frame, each) for each in row.shown_links],
    )


def milestone_link(frame: Frame, row: TimelineLink) -> Link:
    """Return a link to the page in this language if there is one, or else to the address itself."""
    label = localized_text(frame, row, "label")
    if row.is_translated:
        return frame.link(label, row.href, translated=True)
    return Link(label, row.href)
