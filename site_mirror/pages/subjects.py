"""Read from the catalogue what standing pages show below the editors' text."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from catalogue import questions
from catalogue.milestones import timeline
from catalogue.models import Page, TimelineEntry
from site_mirror.documents.context import Context, todays_links
from site_mirror.documents.sources import Question
from site_mirror.pages.about import About
from site_mirror.pages.blog import BlogIndex
from site_mirror.pages.blog_sources import read_labels
from site_mirror.pages.front import Front
from site_mirror.pages.standing import PageOfRows

MAX_ITEMS_ON_HOME_PAGE = 3
"""Articles, and milestones, on the home page."""
MAX_NEWEST_ARTICLES = 20
"""Articles on the first page of the blog."""


@lru_cache(maxsize=1)
def read_standing_texts(context: Context) -> Mapping[str, Page]:
    """Return the texts of standing pages by slug, cached because lists of pages need them all."""
    return {row.slug: row for row in questions.standing_pages(context.at)}


def gather_home(context: Context, text: Page, language: str) -> Front:
    at = context.at
    posts = questions.post_titles(at, language=language)
    return Front(
        page=text,
        studio=questions.studio(at).first(),
        statistics=list(questions.statistics(at)),
        apps=list(questions.apps(at)),
        posts=list(posts[:MAX_ITEMS_ON_HOME_PAGE]),
        topic=questions.science_topics(at).first(),
        recent=read_timeline(context)[:MAX_ITEMS_ON_HOME_PAGE],
    )


def gather_timeline(context: Context, text: Page, language: str) -> PageOfRows:
    return PageOfRows(text, read_timeline(context))


@lru_cache(maxsize=1)
def read_timeline(context: Context) -> Sequence[TimelineEntry]:
    """Return the milestones, cached because two pages show them in each language."""
    return timeline(context.at, todays_links(context))


def gather_blog(context: Context, text: Page, language: str) -> BlogIndex:
    posts = questions.post_titles(context.at, language=language)
    return BlogIndex(
        page=text,
        newest=list(posts[:MAX_NEWEST_ARTICLES]),
        years=read_labels(questions.years, context, language),
        tags=read_labels(questions.tags, context, language),
    )


def rows_of(question: Question) -> Callable[[Context, Page, str], PageOfRows]:
    return lambda context, text, language: PageOfRows(text, list(question(context.at)))


def gather_about(context: Context, text: Page, language: str) -> About:
    at = context.at
    studio = questions.studio(at).first()
    return About(text, studio, list(questions.team(at)), list(questions.principles(at)))
