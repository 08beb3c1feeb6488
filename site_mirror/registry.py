"""The registry: one table of everything that is published.

From it come the URL patterns, the index's `endpoints` and the snapshot. What is not in this
table is not published, live or frozen.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, lru_cache, partial
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any

from api import resources
from api.headers import HEALTH_CACHING
from catalogue import addresses, questions
from catalogue.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror import headers
from site_mirror.context import Context
from site_mirror.documents import Document, Family
from site_mirror.families import (
    assets,
    collection,
    description,
    endpoint,
    fixed,
    icons,
    index,
    item,
)
from site_mirror.listing import Pages
from site_mirror.machine.table import machine_files
from site_mirror.page_families import english_page, page, standing_page
from site_mirror.pages import about, apps, blog, front, science, subjects, timeline
from site_mirror.pages.blog_sources import Articles, FirstPage, Tags, Years
from site_mirror.pages.docs import reference, sources, swagger, versions
from site_mirror.shelf import Shelved
from site_mirror.sources import Question, Rows, Sole, Whole


def endpoints() -> dict[str, str]:
    """What the index lists: endpoint name to address template."""
    return {family.endpoint: family.template for family in FAMILIES if family.endpoint}


@lru_cache(maxsize=1)
def pages(context: Context) -> Pages:
    """Every page that is published, in short; several lists are made of them."""
    return Pages([family.listed(context) for family in FAMILIES])


def of_language(question: Callable[..., Any], language: str) -> Rows:
    """The rows that are written in a language."""
    return Rows(partial(question, language=language))


def mirrors(context: Context) -> Iterator[bytes]:
    """The Markdown of every page, English first, and lists of pages last in each language."""
    return made(context, context.making.public) if context.making.public else rendered(context)


def made(context: Context, public: Path) -> Iterator[bytes]:
    """As the files of a release in the making; that none is missing is for the gates to tell."""
    files = (public / page.mirror[1:] for page in pages(context).for_reading())
    return (file.read_bytes() for file in files if file.is_file())


def rendered(context: Context) -> Iterator[bytes]:
    for language in LANGUAGES:
        for family in sorted(FAMILIES, key=attrgetter("of_pages")):
            if family.media_type == headers.MARKDOWN and family.language == language:
                yield from (document.body() for document in family.documents(context))


ARTICLES = Articles()
"""Read once for all that is made of a post."""

FAMILIES: tuple[Family, ...] = (
    endpoint(
        "getApiIndex",
        "index",
        addresses.api("/"),
        index(endpoints),
        source=Whole(questions.versions),
    ),
    item("getStudio", "studio", "/studio", resources.STUDIO),
    collection("listTeam", "team", "/team", resources.TEAM),
    collection("listApps", "apps", "/apps", resources.APPS),
    item("getApp", "app", "/apps/{appId}", resources.APPS, questions.former_app_slugs),
    collection("listPosts", "posts", "/posts", resources.POSTS, lists="getPost"),
    item(
        "getPost",
        "post",
        "/posts/{slug}",
        resources.POSTS,
        questions.former_post_slugs,
        source=ARTICLES,
        part=attrgetter("post"),
        item=True,
    ),
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
    endpoint("openapi", "openapi", addresses.OPENAPI, description, asks=True),
    *standing_page("home", front.compose, subjects.front),
    *standing_page("apps", apps.compose_list, subjects.app_list),
    *page(
        "app",
        addresses.app_page("{slug}"),
        apps.compose,
        apps.listed,
        partial(of_language, questions.apps_with_company),
        in_short=partial(of_language, questions.apps_in),
        former={
            ENGLISH: questions.former_app_slugs,
            VIETNAMESE: questions.former_slugs_of_apps_in_vietnamese,
        },
    ),
    *standing_page("blog", blog.compose_index, source=FirstPage),
    *page(
        "year",
        addresses.year_page("{slug}"),
        blog.compose_year,
        blog.listed_year,
        Years,
        in_short=partial(Years, dated=True),
        of_pages=True,
    ),
    *page(
        "tag",
        addresses.tag_page("{slug}"),
        blog.compose_tag,
        blog.listed_tag,
        Tags,
        in_short=partial(Tags, dated=True),
        of_pages=True,
    ),
    *page(
        "post",
        addresses.post_page("{slug}"),
        blog.compose,
        blog.listed,
        lambda language: ARTICLES,
        part=lambda language: methodcaller("in_language", language),
        in_short=Shelved,
        prepare=lambda language: partial(blog.prepare, language),
        former={
            ENGLISH: questions.former_post_slugs,
            VIETNAMESE: questions.former_slugs_of_posts_in_vietnamese,
        },
    ),
    *standing_page("science", science.compose, subjects.science),
    *standing_page("timeline", timeline.compose, subjects.history),
    *standing_page("about", about.compose, subjects.about),
    *standing_page("privacy"),
    *standing_page(
        "docs-api", reference.compose, source=sources.Reference, policy=headers.SCRIPTED_POLICY
    ),
    *english_page(
        "swagger",
        swagger.ADDRESS,
        swagger.compose,
        swagger.listed,
        Sole(swagger.row),
        policy=headers.SCRIPTED_POLICY,
    ),
    *standing_page("docs-versioning", versions.compose, sources.versioned),
    *standing_page("docs-problems"),
    *standing_page("docs-licence"),
    icons(),
    *assets(),
    *machine_files(pages, mirrors, endpoints),
)


BY_NAME = {family.name: family for family in FAMILIES}


def documents(context: Context) -> Iterator[Document]:
    """Everything that is published at a moment, in the order of the table."""
    for family in FAMILIES:
        yield from family.documents(context)


def moves(context: Context) -> Iterator[tuple[str, str]]:
    """Former addresses and today's, in the order of the table; families share the answers."""
    slugs = cache(partial(former_slugs, context.at))
    for family in FAMILIES:
        if family.former:
            yield from family.moves(slugs(family.former))


def former_slugs(at: datetime, question: Question) -> list[tuple[str, str]]:
    """Each with the slug of today."""
    return [(row.slug, row.today) for row in question(at)]
