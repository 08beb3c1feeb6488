"""The page about the science behind the apps: formulas, their meaning, and apps that use them."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from catalogue import addresses
from catalogue.models import ScienceTopic
from site_mirror.pages import cards
from site_mirror.pages.blocks import Block, Formula, Link, Links, Paragraphs, Section, Table
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import PageOfRows, compose_standing
from site_mirror.pages.symbols import compose_symbol
from site_mirror.pages.texts import localized_text


def compose_page(frame: Frame, subject: PageOfRows) -> PageContent:
    links = [topic_link(frame, row) for row in subject.rows]
    contents: list[Block] = [Links("", links, "contents")] if links else []
    topics = [
        Section(
            row.slug, localized_text(frame, row, "name"), list(compose_blocks(frame, row)), "topic"
        )
        for row in subject.rows
    ]
    return compose_standing(frame, subject.page, [*contents, *topics], style="science")


def topic_link(frame: Frame, row: ScienceTopic) -> Link:
    page = f"{addresses.SCIENCE_PAGE}#{row.slug}"
    return frame.link(
        localized_text(frame, row, "name"), page, translated=frame.has_standing_page("science")
    )


def compose_blocks(frame: Frame, row: ScienceTopic) -> Iterator[Block]:
    yield Formula(row.formula_latex)
    yield Paragraphs(localized_text(frame, row, "explanation"))
    if symbols := list(row.symbols.all()):
        yield Table(
            caption=_("Symbols in the formula"),
            headings=[_("Symbol"), _("Meaning"), _("Unit")],
            rows=[
                [compose_symbol(each.symbol), localized_text(frame, each, "meaning"), each.unit]
                for each in symbols
            ],
        )
    if apps := row.shown_apps:
        links = [cards.link_to_app(frame, app) for app in apps]
        yield Links(_("Used in"), links, "apps")
