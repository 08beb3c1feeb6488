"""Read from the catalogue what standing pages show below the editors' text."""

from collections.abc import Callable, Iterable
from datetime import datetime

from catalogue import questions
from catalogue.addresses import STANDING_PAGES, app_page, post_page
from catalogue.models import Page, TimelineEntry
from catalogue.texts.localized import VIETNAMESE
from site_mirror.documents.context import Context
from site_mirror.documents.sources import Question
from site_mirror.pages.about import About
from site_mirror.pages.blog import BlogIndex
from site_mirror.pages.blog_sources import read_labels
from site_mirror.pages.front import Front
from site_mirror.pages.standing import PageOfRows
from site_mirror.pages.timeline import History, Timeline

MAX_ITEMS_ON_HOME_PAGE = 3
"""Articles, and milestones, on the home page."""
MAX_NEWEST_ARTICLES = 20
"""Articles on the first page of the blog."""


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
        recent=link_timeline(at, questions.timeline(at)[:MAX_ITEMS_ON_HOME_PAGE]),
    )


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


def gather_timeline(context: Context, text: Page, language: str) -> History:
    return History(text, link_timeline(context.at, questions.timeline(context.at)))


def gather_about(context: Context, text: Page, language: str) -> About:
    at = context.at
    studio = questions.studio(at).first()
    return About(text, studio, list(questions.team(at)), list(questions.principles(at)))


def link_timeline(at: datetime, entries: Iterable[TimelineEntry]) -> Timeline:
    """Return timeline entries with the addresses that they link to and that have a translation."""
    rows = list(entries)
    targets = {link.href for row in rows for link in row.links.all()}
    slugs = [href.rpartition("/")[2] for href in targets]
    apps = questions.apps_in(at, language=VIETNAMESE).filter(slug__in=slugs)
    posts = questions.posts_in(at, language=VIETNAMESE).filter(slug__in=slugs)
    standing = questions.standing_pages(at, language=VIETNAMESE).values_list("slug", flat=True)
    pages = {app_page(slug) for slug in apps.values_list("slug", flat=True)}
    pages |= {post_page(slug) for slug in posts.values_list("slug", flat=True)}
    return Timeline(rows, targets & (pages | {STANDING_PAGES[slug] for slug in standing}))
