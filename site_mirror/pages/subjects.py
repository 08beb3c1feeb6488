"""Read the subjects of standing pages from the catalogue; `None` if a page is not published."""

from collections.abc import Iterable
from datetime import datetime

from catalogue import questions
from catalogue.addresses import STANDING_PAGES, app_page, post_page
from catalogue.localized import VIETNAMESE
from catalogue.models import Page, TimelineEntry
from site_mirror.pages.about import About
from site_mirror.pages.apps import AppList
from site_mirror.pages.blog import BlogIndex
from site_mirror.pages.front import Front
from site_mirror.pages.science import Science
from site_mirror.pages.timeline import History, Timeline

MAX_ITEMS_ON_HOME_PAGE = 3
"""Articles, and milestones, on the home page."""
MAX_NEWEST_ARTICLES = 20
"""Articles on the first page of the blog."""


def find_standing_page(at: datetime, slug: str, language: str) -> Page | None:
    return questions.page(at, slug=slug, language=language).first()


def gather_home(at: datetime, *, language: str) -> Front | None:
    text = find_standing_page(at, "home", language)
    if text is None:
        return None
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


def gather_apps(at: datetime, *, language: str) -> AppList | None:
    text = find_standing_page(at, "apps", language)
    return AppList(text, list(questions.apps(at))) if text else None


def gather_blog(at: datetime, *, language: str) -> BlogIndex | None:
    text = find_standing_page(at, "blog", language)
    if text is None:
        return None
    posts = questions.post_titles(at, language=language)
    return BlogIndex(
        page=text,
        newest=list(posts[:MAX_NEWEST_ARTICLES]),
        years=list(questions.years(at, language=language)),
        tags=list(questions.tags(at, language=language)),
    )


def gather_science(at: datetime, *, language: str) -> Science | None:
    text = find_standing_page(at, "science", language)
    return Science(text, list(questions.science_topics(at))) if text else None


def gather_timeline(at: datetime, *, language: str) -> History | None:
    text = find_standing_page(at, "timeline", language)
    return History(text, link_timeline(at, questions.timeline(at))) if text else None


def gather_about(at: datetime, *, language: str) -> About | None:
    text = find_standing_page(at, "about", language)
    if text is None:
        return None
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
