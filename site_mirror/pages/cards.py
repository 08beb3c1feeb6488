"""Apps and articles in short, as they stand in lists."""

from collections.abc import Iterable

from catalogue import addresses
from catalogue.models import App, Post
from catalogue.questions import PostCard, PostName
from site_mirror.listing import Several
from site_mirror.pages.blocks import Archive, Card, Cards, Link
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import said, written

MANY = 50
"""Articles from which on a list has no summaries."""


def apps(frame: Frame, rows: Iterable[App]) -> Cards:
    return Cards("apps", [app(frame, row) for row in rows])


def app(frame: Frame, row: App) -> Card:
    link = link_to_app(frame, row)
    return Card(
        title=link.label,
        address=link.address,
        language=link.language,
        summary=said(frame, row, "tagline"),
        icon=addresses.app_icon(row.slug) if row.icon_svg else "",
        notes=[str(row.get_status_display()), ", ".join(row.platforms)],
    )


def link_to_app(frame: Frame, row: App) -> Link:
    translated = written(row, "description", frame.language)
    return frame.link(row.name, addresses.app_page(row.slug), translated=translated)


def articles(frame: Frame, rows: Several[Post | PostCard]) -> Cards | Archive:
    """As cards or, where there are many, a line each."""
    if len(rows) > MANY:
        return Archive([(frame.day(row.date), link_to_article(frame, row)) for row in rows])
    return Cards("articles", [article(frame, row) for row in rows])


def article(frame: Frame, row: Post | PostCard) -> Card:
    link = link_to_article(frame, row)
    return Card(
        title=link.label,
        address=link.address,
        language=link.language,
        summary=said(frame, row, "excerpt"),
        notes=[frame.day(row.date)],
    )


def link_to_article(frame: Frame, row: Post | PostCard | PostName) -> Link:
    translated = written(row, "title", frame.language)
    page = addresses.post_page(row.slug)
    return frame.link(said(frame, row, "title"), page, translated=translated)
