"""The list of apps, and the page of each."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from catalogue import addresses
from catalogue.models import App
from catalogue.texts.localized import text_in
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import cards, science, structured
from site_mirror.pages.blocks import (
    Block,
    Facts,
    Inline,
    Link,
    Links,
    Paragraph,
    Paragraphs,
    Section,
    ShortTexts,
)
from site_mirror.pages.days import in_studio_time
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent, picture_of
from site_mirror.pages.standing import PageOfRows, compose_standing
from site_mirror.pages.texts import has_text, localized_number, localized_text, translated_text


def compose_list(frame: Frame, subject: PageOfRows) -> PageContent:
    apps = [cards.app_cards(frame, subject.rows)]
    return compose_standing(frame, subject.page, apps, style="apps", text_last=True)


def summarize_page(frame: Frame, app: App) -> PageSummary:
    return frame.summarize(
        addresses.app_page(app.slug),
        app.name,
        localized_text(frame, app, "tagline"),
        has_twin=has_text(app, "description", frame.other_language),
        moment=app.publish_at,
        changed=in_studio_time(app.changed_at),
    )


def compose_page(frame: Frame, app: App) -> PageContent:
    page = summarize_page(frame, app)
    return PageContent(
        page_summary=page,
        style="app",
        blocks=list(compose_blocks(frame, app)),
        icon=addresses.app_icon(app.slug) if app.icon_svg else "",
        picture=picture_of(page, app),
        trail=frame.trail_to_apps,
        data=[structured.describe_app(frame, page, app)],
    )


def compose_blocks(frame: Frame, app: App) -> Iterator[Block]:
    if reading := localized_text(frame, app, "reading"):
        yield Paragraph(reading)
    if links := store_links(app):
        yield Links(_("Where to get it"), links, "stores")
    yield Paragraphs(text_in(app, "description", frame.language))
    yield app_facts(frame, app)
    if inside := list(technical_blocks(frame, app)):
        yield Section("inside_", _("How it works"), inside)
    if topics := list(app.science_topics.all()):
        links = [science.topic_link(frame, topic) for topic in topics]
        yield Section("science_", _("The science in it"), [Links("", links, "topics")])
    posts: list[Any] = list(app.posts.all())
    if posts:
        yield Section("articles_", _("Articles about it"), [cards.article_list(frame, posts)])


def store_links(app: App) -> list[Link]:
    names = {
        "App Store": app.app_store,
        "Google Play": app.google_play,
        "Chrome Web Store": app.chrome_web_store,
    }
    return [Link(name, address) for name, address in names.items() if address]


def app_facts(frame: Frame, app: App) -> Facts:
    dated: list[Inline] = [frame.partial_date(app.updated)] if app.updated else []
    values: dict[str, list[Inline]] = {
        _("Status"): [str(app.get_status_display())],
        _("Category"): [str(app.get_category_display())],
        _("Platforms"): [", ".join(str(each.label) for each in app.platforms)],
        _("Since"): [app.since] if app.since else [],
        _("Last release"): dated,
        _("Downloads"): [localized_number(frame, app.downloads)] if app.downloads else [],
        _("For programs"): [Link("JSON", addresses.app_document(app.slug))],
    }
    return Facts({label: value for label, value in values.items() if value})


def technical_blocks(frame: Frame, app: App) -> Iterator[Block]:
    if spec := localized_text(frame, app, "spec"):
        yield Paragraphs(spec)
    if app.stack:
        yield ShortTexts([translated_text(frame, each, "technique") for each in app.stack])
