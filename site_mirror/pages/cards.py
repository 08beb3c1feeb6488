"""Cards of apps and articles for lists."""

from collections.abc import Iterable, Sequence

from catalogue import addresses
from catalogue.models import App
from catalogue.questions import PostTitle
from site_mirror.pages.blocks import Archive, Card, Cards, Link
from site_mirror.pages.days import studio_day
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import has_text, localized_text

MAX_CARDS = 50
"""Articles in the longest list that shows cards with summaries."""


def app_cards(frame: Frame, rows: Iterable[App]) -> Cards:
    return Cards("apps", [app_card(frame, row) for row in rows])


def app_card(frame: Frame, row: App) -> Card:
    return Card(
        link=link_to_app(frame, row),
        summary=localized_text(frame, row, "tagline"),
        icon=addresses.app_icon(row.slug) if row.icon_svg else "",
        notes=[str(row.get_status_display()), ", ".join(str(each.label) for each in row.platforms)],
    )


def link_to_app(frame: Frame, row: App) -> Link:
    translated = has_text(row, "description", frame.language)
    return frame.link(row.name, addresses.app_page(row.slug), translated=translated)


def article_list(frame: Frame, rows: Sequence[PostTitle]) -> Cards | Archive:
    """Return cards, or lines if there are too many articles for cards."""
    if len(rows) > MAX_CARDS:
        return Archive(
            [(frame.day(studio_day(row.publish_at)), link_to_article(frame, row)) for row in rows]
        )
    return Cards("articles", [article_card(frame, row) for row in rows])


def article_card(frame: Frame, row: PostTitle) -> Card:
    return Card(
        link=link_to_article(frame, row),
        summary=localized_text(frame, row, "excerpt"),
        notes=[frame.day(studio_day(row.publish_at))],
    )


def link_to_article(frame: Frame, row: PostTitle) -> Link:
    translated = has_text(row, "title", frame.language)
    page = addresses.post_page(row.slug)
    return frame.link(localized_text(frame, row, "title"), page, translated=translated)
