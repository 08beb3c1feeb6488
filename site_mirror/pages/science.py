"""The science behind the apps: a formula, what it means, and who uses it."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue import addresses
from catalogue.models import Page as Row
from catalogue.models import ScienceTopic
from site_mirror.pages import cards
from site_mirror.pages.blocks import Block, Formula, Link, Links, Paragraphs, Section, Table
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing
from site_mirror.pages.texts import said


class Science(Struct, frozen=True):
    """What the page of the science is made of."""

    page: Row
    topics: Sequence[ScienceTopic]


def compose(frame: Frame, subject: Science) -> Page:
    links = [topic_link(frame, row) for row in subject.topics]
    contents: list[Block] = [Links("", links, "contents")] if links else []
    topics = [topic(frame, row) for row in subject.topics]
    return standing(frame, subject.page, [*contents, *topics], style="science")


def topic_link(frame: Frame, row: ScienceTopic) -> Link:
    """A link to a topic, in this language where the page of the science is."""
    page = f"{addresses.SCIENCE}#{row.slug}"
    return frame.link(said(frame, row, "name"), page, translated=frame.stands("science"))


def topic(frame: Frame, row: ScienceTopic) -> Section:
    return Section(row.slug, said(frame, row, "name"), list(blocks(frame, row)), "topic")


def blocks(frame: Frame, row: ScienceTopic) -> Iterator[Block]:
    yield Formula(row.formula_latex)
    yield Paragraphs(said(frame, row, "explanation"))
    if symbols := list(row.symbols.all()):
        yield Table(
            caption=_("Symbols of %(topic)s") % {"topic": said(frame, row, "name")},
            headings=[_("Symbol"), _("Meaning"), _("Unit")],
            rows=[[each.symbol, said(frame, each, "meaning"), each.unit] for each in symbols],
        )
    if apps := row.shown_apps:
        links = [cards.link_to_app(frame, app) for app in apps]
        yield Links(_("Used in"), links, "apps")
