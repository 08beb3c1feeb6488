"""The registry: one table of everything that is published.

From it come the URL patterns, the index's `endpoints` and the snapshot. What is not in this
table is not published, live or frozen.
"""

from collections.abc import Iterator
from datetime import datetime

from api import resources
from api.headers import HEALTH_CACHING
from catalogue import addresses, questions
from catalogue.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror import content, headers
from site_mirror.documents import Context, Document, Family
from site_mirror.families import (
    asset,
    collection,
    description,
    endpoint,
    fixed,
    icons,
    index,
    item,
    page,
    standing_pages,
)
from site_mirror.listing import Listed
from site_mirror.machine.table import machine_files


def endpoints() -> dict[str, str]:
    """What the index lists: endpoint name to address template."""
    return {family.endpoint: family.template for family in FAMILIES if family.endpoint}


def pages(at: datetime) -> Iterator[Listed]:
    """Every page that is published at a moment, in short."""
    for family in FAMILIES:
        if family.media_type == headers.HTML:
            yield from family.listed(at)


def mirrors(context: Context) -> Iterator[bytes]:
    """The Markdown of every page, English first."""
    for language in LANGUAGES:
        for family in FAMILIES:
            if family.media_type == headers.MARKDOWN and family.language == language:
                yield from (document.body() for document in family.documents(context))


FAMILIES: tuple[Family, ...] = (
    endpoint("getApiIndex", "index", addresses.api("/"), index(endpoints), rows=questions.versions),
    item("getStudio", "studio", "/studio", resources.STUDIO),
    collection("listTeam", "team", "/team", resources.TEAM),
    collection("listApps", "apps", "/apps", resources.APPS),
    item("getApp", "app", "/apps/{appId}", resources.APPS, questions.former_app_slugs),
    collection("listPosts", "posts", "/posts", resources.POSTS),
    item("getPost", "post", "/posts/{slug}", resources.POSTS, questions.former_post_slugs),
    collection("listStats", "stats", "/stats", resources.STATS),
    collection("listScienceTopics", "science", "/science", resources.SCIENCE),
    collection("listPrinciples", "principles", "/principles", resources.PRINCIPLES),
    collection("listTimeline", "timeline", "/timeline", resources.TIMELINE),
    collection("listVersions", "versions", "/versions", resources.VERSIONS),
    endpoint(
        "getHealth",
        "health",
        addresses.api("/health"),
        fixed(resources.health),
        caching=HEALTH_CACHING,
    ),
    endpoint("openapi", "openapi", addresses.OPENAPI, description),
    *standing_pages(),
    *page(
        "app",
        ENGLISH,
        addresses.app_page("{slug}"),
        content.app,
        questions.apps,
        questions.former_app_slugs,
    ),
    *page(
        "app",
        VIETNAMESE,
        addresses.app_page("{slug}"),
        content.app,
        questions.apps_in_vietnamese,
        questions.former_slugs_of_apps_in_vietnamese,
    ),
    *page(
        "post",
        ENGLISH,
        addresses.post_page("{slug}"),
        content.post,
        questions.posts,
        questions.former_post_slugs,
    ),
    *page(
        "post",
        VIETNAMESE,
        addresses.post_page("{slug}"),
        content.post,
        questions.posts_in_vietnamese,
        questions.former_slugs_of_posts_in_vietnamese,
    ),
    icons(),
    asset("site.css", headers.CSS),
    asset("icon.svg", headers.SVG),
    *machine_files(pages, mirrors, endpoints),
)


def documents(context: Context) -> Iterator[Document]:
    """Everything that is published at a moment, in the order of the table."""
    for family in FAMILIES:
        yield from family.documents(context)


def moves(context: Context) -> Iterator[tuple[str, str]]:
    """Former addresses and today's, in the order of the table."""
    for family in FAMILIES:
        yield from family.moves(context)
