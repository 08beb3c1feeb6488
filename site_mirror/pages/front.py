"""The home page: the studio in numbers, its apps, and what is new."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.models import App, Post, ScienceTopic, Studio
from catalogue.models import Page as Row
from catalogue.models import Statistic as Counter
from site_mirror.pages import cards, structured, timeline
from site_mirror.pages.blocks import Block, Formula, Paragraphs, Section, Statistic, Statistics
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing
from site_mirror.pages.texts import said
from site_mirror.pages.timeline import Timeline


class Front(Struct, frozen=True):
    """What the home page is made of."""

    page: Row
    studio: Studio | None
    statistics: Sequence[Counter]
    apps: Sequence[App]
    posts: Sequence[Post]
    topic: ScienceTopic | None
    recent: Timeline


def compose(frame: Frame, subject: Front) -> Page:
    return standing(
        frame,
        subject.page,
        list(blocks(frame, subject)),
        style="front",
        data=[structured.organization(frame, subject.studio)] if subject.studio else [],
    )


def blocks(frame: Frame, subject: Front) -> Iterator[Block]:
    if subject.statistics:
        yield Statistics([statistic(frame, row) for row in subject.statistics])
    if subject.apps:
        yield part(frame, "apps", _("Apps"), cards.apps(frame, subject.apps), _("All apps"))
    if subject.posts:
        newest = cards.articles(frame, subject.posts)
        yield part(frame, "blog", _("From the blog"), newest, _("All articles"))
    if subject.topic:
        yield formula(frame, subject.topic)
    if subject.recent.entries:
        milestones = timeline.milestones(frame, subject.recent, subject.recent.entries)
        yield part(frame, "timeline", _("Lately"), milestones, _("The whole timeline"))


def part(frame: Frame, slug: str, title: str, block: Block, more: str) -> Section:
    """A part of the home page that has a page of its own."""
    return Section(f"{slug}_", title, [block], style=slug, more=frame.standing_link(more, slug))


def formula(frame: Frame, topic: ScienceTopic) -> Section:
    blocks = [Formula(topic.formula_latex), Paragraphs(said(frame, topic, "explanation"))]
    more = frame.standing_link(_("All the science"), "science")
    return Section("science_", said(frame, topic, "name"), blocks, "topic", more)


def statistic(frame: Frame, row: Counter) -> Statistic:
    return Statistic(row.shown, said(frame, row, "label"))
