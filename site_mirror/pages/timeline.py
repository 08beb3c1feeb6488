"""The timeline of the studio and of its founder."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from catalogue.models import Page as Row
from catalogue.models import TimelineEntry, TimelineLink
from site_mirror.pages.blocks import Link, Milestone, Milestones, Section
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing
from site_mirror.pages.texts import said


class Timeline(Struct, frozen=True):
    """Entries, and the addresses among their links whose pages are in Vietnamese too."""

    entries: Sequence[TimelineEntry]
    translated: Collection[str]


class History(Struct, frozen=True):
    """What the page of the timeline is made of."""

    page: Row
    timeline: Timeline


def compose(frame: Frame, subject: History) -> Page:
    by_year = groupby(subject.timeline.entries, key=lambda entry: entry.date[:4])
    years = [
        Section(f"y{year}_", year, [milestones(frame, subject.timeline, rows)], "year")
        for year, rows in by_year
    ]
    return standing(frame, subject.page, years, style="timeline")


def milestones(frame: Frame, timeline: Timeline, rows: Iterable[TimelineEntry]) -> Milestones:
    return Milestones([milestone(frame, timeline, row) for row in rows])


def milestone(frame: Frame, timeline: Timeline, row: TimelineEntry) -> Milestone:
    return Milestone(
        id=row.slug,
        date=frame.partial_date(row.date),
        subject=str(row.get_subject_display()),
        title=said(frame, row, "title"),
        description=said(frame, row, "description"),
        links=[link(frame, timeline, each) for each in row.links.all()],
    )


def link(frame: Frame, timeline: Timeline, row: TimelineLink) -> Link:
    """A link to the page in this language where there is one, or else to what was typed."""
    label = said(frame, row, "label")
    if row.href in timeline.translated:
        return frame.link(label, row.href, translated=True)
    return Link(label, row.href)
