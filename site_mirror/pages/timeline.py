"""The timeline of the studio and of its founder."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from catalogue.models import Page as Row
from catalogue.models import TimelineEntry, TimelineLink
from site_mirror.pages.blocks import Link, Milestone, Milestones, Section
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing
from site_mirror.pages.texts import localized_text


class Timeline(Struct, frozen=True):
    """Timeline entries, and addresses of their links whose pages have a Vietnamese translation."""

    entries: Sequence[TimelineEntry]
    translated: Collection[str]


class History(Struct, frozen=True):
    """The subject of the timeline's page."""

    page: Row
    timeline: Timeline


def compose(frame: Frame, subject: History) -> PageContent:
    by_year = groupby(subject.timeline.entries, key=lambda entry: entry.date[:4])
    years = [
        Section(f"y{year}_", year, [compose_milestones(frame, subject.timeline, rows)], "year")
        for year, rows in by_year
    ]
    return compose_standing(frame, subject.page, years, style="timeline")


def compose_milestones(
    frame: Frame, timeline: Timeline, rows: Iterable[TimelineEntry]
) -> Milestones:
    return Milestones([compose_milestone(frame, timeline, row) for row in rows])


def compose_milestone(frame: Frame, timeline: Timeline, row: TimelineEntry) -> Milestone:
    return Milestone(
        id=row.slug,
        date=frame.partial_date(row.date),
        subject=str(row.get_subject_display()),
        title=localized_text(frame, row, "title"),
        description=localized_text(frame, row, "description"),
        links=[milestone_link(frame, timeline, each) for each in row.links.all()],
    )


def milestone_link(frame: Frame, timeline: Timeline, row: TimelineLink) -> Link:
    """Return a link to the page in this language if there is one, or else to the typed address."""
    label = localized_text(frame, row, "label")
    if row.href in timeline.translated:
        return frame.link(label, row.href, translated=True)
    return Link(label, row.href)
