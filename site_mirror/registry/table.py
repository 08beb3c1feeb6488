"""The registry: one table of everything that is published.

The URL patterns and the snapshot are made from it. A document of no
family in this table is not published, live or frozen.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, lru_cache, partial
from operator import attrgetter, methodcaller
from typing import Any

from catalogue import addresses, questions
from catalogue.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror.documents import headers
from site_mirror.documents.context import Context
from site_mirror.documents.family import Build, Family
from site_mirror.documents.sources import EachRow, Question, SingleRow
from site_mirror.documents.summaries import PageSummaries
from site_mirror.machine.table import machine_files
from site_mirror.pages import about, apps, blog, front, science, subjects, timeline
from site_mirror.pages.blog_sources import ArticleSource, FirstPageSource, TagSource, YearSource
from site_mirror.pages.docs import reference, swagger, versions
from site_mirror.pages.post_index import PostCardSource
from site_mirror.registry.families import (
    asset_families,
    endpoint_families,
    icon_family,
    list_of_built,
    openapi_family,
)
from site_mirror.registry.page_families import (
    families_of_english_page,
    families_of_page,
    families_of_standing_page,
)


@lru_cache(maxsize=1)
def page_summaries(context: Context) -> PageSummaries:
    """Return the summaries of all pages, cached because several lists need them."""
    return PageSummaries([family.summaries(context) for family in FAMILIES])


def rows_in_language(question: Callable[..., Any], language: str) -> EachRow:
    """Return the source of the rows that are written in a language."""
    return EachRow(partial(question, language=language))


def render_mirrors(context: Context) -> Iterator[bytes]:
    """Yield the Markdown of all pages, English first, and lists of pages last in each language."""
    for language in LANGUAGES:
        for family in sorted(FAMILIES, key=attrgetter("lists_pages")):
            if family.media_type == headers.MARKDOWN_TYPE and family.language == language:
                yield from (document.body() for document in family.documents(context))


ARTICLES = ArticleSource()
"""One source for all documents of posts, so that they are read once."""

FAMILIES: tuple[Family, ...] = (
    *endpoint_families(
        listPosts={
            "build": Build.LISTS,
            "render_built": list_of_built(addresses.api_address("/posts"), items="getPost"),
        },
        getPost={"source": ARTICLES, "part": attrgetter("post"), "build": Build.ITEMS},
    ),
    openapi_family(),
    *families_of_standing_page("home", front.compose, subjects.gather_home),
    *families_of_standing_page("apps", apps.compose_list, subjects.gather_apps),
    *families_of_page(
        "app",
        addresses.app_page("{slug}"),
        apps.compose,
        apps.summarize,
        partial(rows_in_language, questions.apps_with_company),
        summarized=partial(rows_in_language, questions.apps_in),
        former={
            ENGLISH: questions.former_app_slugs,
            VIETNAMESE: partial(questions.former_app_slugs_in, language=VIETNAMESE),
        },
    ),
    *families_of_standing_page("blog", blog.compose_index, source=FirstPageSource),
    *families_of_page(
        "year",
        addresses.year_page("{slug}"),
        blog.compose_year,
        blog.summarize_year,
        YearSource,
        summarized=partial(YearSource, dated=True),
        lists_pages=True,
    ),
    *families_of_page(
        "tag",
        addresses.tag_page("{slug}"),
        blog.compose_tag,
        blog.summarize_tag,
        TagSource,
        summarized=partial(TagSource, dated=True),
        lists_pages=True,
    ),
    *families_of_page(
        "post",
        addresses.post_page("{slug}"),
        blog.compose,
        blog.summarize,
        lambda language: ARTICLES,
        part=lambda language: methodcaller("in_language", language),
        summarized=PostCardSource,
        prepare=lambda language: partial(blog.prepare_texts, language),
        former={
            ENGLISH: questions.former_post_slugs,
            VIETNAMESE: partial(questions.former_post_slugs_in, language=VIETNAMESE),
        },
    ),
    *families_of_standing_page("science", science.compose, subjects.gather_science),
    *families_of_standing_page("timeline", timeline.compose, subjects.gather_timeline),
    *families_of_standing_page("about", about.compose, subjects.gather_about),
    *families_of_standing_page("privacy"),
    *families_of_standing_page(
        "docs-api",
        reference.compose,
        reference.gather,
        policy=headers.SCRIPTED_PAGE_SECURITY_POLICY,
    ),
    *families_of_english_page(
        "swagger",
        swagger.SWAGGER_ADDRESS,
        swagger.compose,
        swagger.summarize,
        SingleRow(swagger.reference_text),
        policy=headers.SCRIPTED_PAGE_SECURITY_POLICY,
    ),
    *families_of_standing_page("docs-versioning", versions.compose, versions.gather),
    *families_of_standing_page("docs-problems"),
    *families_of_standing_page("docs-licence"),
    icon_family(),
    *asset_families(),
    *machine_files(page_summaries, render_mirrors),
)


FAMILIES_BY_NAME = {family.name: family for family in FAMILIES}


def former_addresses(context: Context) -> Iterator[tuple[str, str]]:
    """Yield former addresses and their present ones, in the order of the table.

    Families with the same question for former slugs share one query.
    """
    slugs = cache(partial(read_former_slugs, context.at))
    for family in FAMILIES:
        if family.former:
            yield from family.moves(slugs(family.former))


def read_former_slugs(at: datetime, question: Question) -> list[tuple[str, str]]:
    """Return former slugs, each with the present slug of its row."""
    return [(row.slug, row.today) for row in question(at)]
