"""What each page is made of, gathered from the catalogue: `None` where there is no such page."""

from collections.abc import Iterable
from datetime import datetime

from catalogue import questions
from catalogue.addresses import STANDING_PAGES, app_page, post_page
from catalogue.localized import VIETNAMESE
from catalogue.models import Page, TimelineEntry
from site_mirror.pages.about import About
from site_mirror.pages.apps import AppList
from site_mirror.pages.front import Front
from site_mirror.pages.science import Science
from site_mirror.pages.timeline import History, Timeline

ON_THE_FRONT = 3
"""Articles and milestones on the home page."""


def page(at: datetime, slug: str, language: str) -> Page | None:
    return questions.page(at, slug=slug, language=language).first()


def front(at: datetime, *, language: str) -> Front | None:
    text = page(at, "home", language)
    if text is None:
        return None
    posts = questions.post_titles_in(at, language=language)
    return Front(
        page=text,
        studio=questions.studio(at).first(),
        statistics=list(questions.statistics(at)),
        apps=list(questions.apps(at)),
        posts=list(posts[:ON_THE_FRONT]),
        topic=questions.science_topics(at).first(),
        recent=timeline(at, questions.timeline(at)[:ON_THE_FRONT]),
    )


def app_list(at: datetime, *, language: str) -> AppList | None:
    text = page(at, "apps", language)
    return AppList(text, list(questions.apps(at))) if text else None


def science(at: datetime, *, language: str) -> Science | None:
    text = page(at, "science", language)
    return Science(text, list(questions.science_topics(at))) if text else None


def history(at: datetime, *, language: str) -> History | None:
    text = page(at, "timeline", language)
    return History(text, timeline(at, questions.timeline(at))) if text else None


def about(at: datetime, *, language: str) -> About | None:
    text = page(at, "about", language)
    if text is None:
        return None
    studio = questions.studio(at).first()
    return About(text, studio, list(questions.team(at)), list(questions.principles(at)))


def timeline(at: datetime, entries: Iterable[TimelineEntry]) -> Timeline:
    """Entries, with which of the pages they link to are in Vietnamese, too."""
    rows = list(entries)
    linked = {link.href for row in rows for link in row.links.all()}
    slugs = [href.rpartition("/")[2] for href in linked]
    apps = questions.apps_in_vietnamese(at).filter(slug__in=slugs).values_list("slug", flat=True)
    posts = questions.posts_in_vietnamese(at).filter(slug__in=slugs).values_list("slug", flat=True)
    standing = questions.standing_pages(at, language=VIETNAMESE).values_list("slug", flat=True)
    pages = {app_page(slug) for slug in apps} | {post_page(slug) for slug in posts}
    return Timeline(rows, linked & (pages | {STANDING_PAGES[slug] for slug in standing}))
