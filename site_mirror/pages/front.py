"""The home page: the studio in numbers, its apps, and its newest articles and milestones."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.models import App, ScienceTopic, Studio, TimelineEntry
from catalogue.models import Page as Row
from catalogue.models import Statistic as Counter
from catalogue.questions import PostTitle
from site_mirror.pages import cards, timeline
from site_mirror.pages.blocks import Block, Formula, Paragraphs, Section, Statistics
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing
from site_mirror.pages.texts import localized_number, localized_text


class Front(Struct, frozen=True):
    """The subject of the home page."""

    page: Row
    studio: Studio | None
    statistics: Sequence[Counter]
    apps: Sequence[App]
    posts: Sequence[PostTitle]
    topic: ScienceTopic | None
    recent: Sequence[TimelineEntry]


def compose_page(frame: Frame, subject: Front) -> PageContent:
    below = list(compose_blocks(frame, subject))
    return compose_standing(frame, subject.page, below, style="front", studio=subject.studio)


def compose_blocks(frame: Frame, subject: Front) -> Iterator[Block]:
    if subject.statistics:
        yield Statistics(
            [
                (localized_number(frame, row.shown), localized_text(frame, row, "label"))
                for row in subject.statistics
            ]
        )
    if subject.apps:
        yield home_section(
            frame, "apps", _("Apps"), cards.app_cards(frame, subject.apps), _("All apps")
        )
    if subject.posts:
        newest = cards.article_list(frame, subject.posts)
        yield home_section(frame, "blog", _("From the blog"), newest, _("All articles"))
    if subject.topic:
        yield featured_topic_section(frame, subject.topic)
    if subject.recent:
        milestones = timeline.compose_milestones(frame, subject.recent)
        yield home_section(
            frame, "timeline", _("Latest milestones"), milestones, _("The whole timeline")
        )


def home_section(frame: Frame, slug: str, title: str, block: Block, more: str) -> Section:
    """Return a section of the home page, with a link to the page about the same."""
    return Section(f"{slug}_", title, [block], style=slug, more=frame.standing_link(more, slug))


def featured_topic_section(frame: Frame, topic: ScienceTopic) -> Section:
    blocks = [Formula(topic.formula_latex), Paragraphs(localized_text(frame, topic, "explanation"))]
    more = frame.standing_link(_("All the science"), "science")
    return Section("science_", localized_text(frame, topic, "name"), blocks, "topic", more)
