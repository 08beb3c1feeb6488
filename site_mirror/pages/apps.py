"""The list of apps, and the page of each."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue import addresses
from catalogue.localized import in_language
from catalogue.models import App
from catalogue.models import Page as Row
from site_mirror.listing import Listed
from site_mirror.pages import cards, science, structured
from site_mirror.pages.blocks import (
    Block,
    Fact,
    Facts,
    Inline,
    Items,
    Link,
    Links,
    Paragraphs,
    Section,
)
from site_mirror.pages.days import local
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing
from site_mirror.pages.texts import said, written


class AppList(Struct, frozen=True):
    """What the list of apps is made of."""

    page: Row
    apps: list[App]


def compose_list(frame: Frame, subject: AppList) -> Page:
    return standing(frame, subject.page, [cards.apps(frame, subject.apps)], style="apps")


def listed(frame: Frame, app: App) -> Listed:
    page = addresses.app_page(app.slug)
    return Listed(
        address=frame.here(page),
        language=frame.language,
        title=app.name,
        summary=said(frame, app, "tagline"),
        twin=frame.twin(page) if written(app, "description", frame.other) else None,
        moment=app.publish_at,
        changed=local(app.changed_at),
    )


def compose(frame: Frame, app: App) -> Page:
    """The page of an app of `questions.apps_with_company`."""
    page = listed(frame, app)
    return Page(
        listed=page,
        style="app",
        blocks=list(blocks(frame, app)),
        icon=addresses.app_icon(app.slug) if app.icon_svg else "",
        trail=frame.trail_to_apps,
        data=[
            structured.application(frame, page, app),
            structured.breadcrumbs(frame, frame.trail_to_apps, page),
        ],
    )


def blocks(frame: Frame, app: App) -> Iterator[Block]:
    yield Paragraphs(in_language(app, "description", frame.language))
    if links := stores(app):
        yield Links(_("Where to get it"), links, "stores")
    yield Facts(facts(frame, app))
    if inside := list(under_the_hood(frame, app)):
        yield Section("inside_", _("How it works"), inside)
    if topics := list(app.science_topics.all()):
        links = [science.topic_link(frame, topic) for topic in topics]
        yield Section("science_", _("The science in it"), [Links("", links, "topics")])
    if posts := list(app.posts.all()):
        yield Section("articles_", _("Articles about it"), [cards.articles(frame, posts)])


def stores(app: App) -> list[Link]:
    names = {
        "App Store": app.app_store,
        "Google Play": app.google_play,
        "Chrome Web Store": app.chrome_web_store,
    }
    return [Link(name, address) for name, address in names.items() if address]


def facts(frame: Frame, app: App) -> list[Fact]:
    dated: list[Inline] = [frame.partial_date(app.updated)] if app.updated else []
    values: dict[str, list[Inline]] = {
        _("Status"): [str(app.get_status_display())],
        _("Category"): [str(app.get_category_display())],
        _("Platforms"): [", ".join(app.platforms)],
        _("Since"): [app.since] if app.since else [],
        _("Last release"): dated,
        _("Downloads"): [app.downloads] if app.downloads else [],
        _("For programs"): [Link("JSON", addresses.app_document(app.slug))],
    }
    return [Fact(label, value) for label, value in values.items() if value]


def under_the_hood(frame: Frame, app: App) -> Iterator[Block]:
    if spec := said(frame, app, "spec"):
        yield Paragraphs(spec)
    if app.stack:
        yield Items(app.stack)
