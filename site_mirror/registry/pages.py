"""Families of pages: each page in one language has a mirror."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from django.utils.translation import override
from msgspec.structs import replace

from catalogue import addresses, questions
from catalogue.models import Page
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents import headers
from site_mirror.documents.context import Context, todays_links
from site_mirror.documents.family import Family, no_summaries, whole_subject
from site_mirror.documents.sources import EachRow, Listed, One, Question, Source, single_row
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import (
    about,
    apps,
    blog,
    front,
    html,
    markdown,
    science,
    search,
    standing,
    subjects,
    timeline,
)
from site_mirror.pages.blog_sources import (
    ARTICLES,
    PostListSource,
    read_labels,
    read_tags_of_posts,
    read_titles,
)
from site_mirror.pages.days import studio_day
from site_mirror.pages.docs import outline, reference, swagger, versions
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.subjects import rows_of
from site_mirror.pages.texts import has_text

Write = Callable[[Frame, PageContent], bytes]
Compose = Callable[[Frame, Any], PageContent]
"""Returns the page of a subject."""


Summarize = Callable[[Frame, Any], PageSummary]
"""Returns the summary of the page of a row."""


def families_of_pages() -> Iterator[Family]:
    """Yield the families of all pages: each page in English, then in Vietnamese."""
    for pages in (
        partial(standing_page, "home", front.compose_page, subjects.gather_home),
        partial(standing_page, "apps", apps.compose_list, rows_of(questions.apps)),
        pages_of_apps,
        partial(standing_page, "blog", blog.compose_index, subjects.gather_blog),
        pages_of_years,
        pages_of_tags,
        pages_of_posts,
        partial(standing_page, "science", science.compose_page, rows_of(questions.science_topics)),
        partial(standing_page, "timeline", timeline.compose_page, subjects.gather_timeline),
        partial(standing_page, "about", about.compose_page, subjects.gather_about),
        partial(text_page, "privacy"),
        partial(standing_page, "docs-api", reference.compose_index, outline.gather),
        swagger_page,
        search_page,
        pages_of_reference,
        partial(
            standing_page, "docs-versioning", versions.compose_page, rows_of(questions.versions)
        ),
        partial(text_page, "docs-problems"),
        partial(text_page, "docs-licence"),
    ):
        for language in LANGUAGES:
            yield from pages(language)


def pages_of_apps(language: str) -> Iterator[Family]:
    return page(
        "app",
        language,
        addresses.app_page("{slug}"),
        apps.compose_page,
        EachRow(partial(questions.apps_with_company, language=language)),
        apps.summarize_page,
        lambda context: questions.apps_in(context.at, language=language),
        rows=partial(questions.apps_in, language=language),
    )


def pages_of_years(language: str) -> Iterator[Family]:
    return page(
        "year",
        language,
        addresses.year_page("{slug}"),
        partial(blog.compose_list, blog.summarize_year),
        PostListSource(
            questions.years,
            questions.posts_of_year,
            "year",
            lambda context, title: [studio_day(title.publish_at).year],
            language,
        ),
        blog.summarize_year,
        lambda context: read_labels(questions.years, context, language),
        lists_pages=True,
    )


def pages_of_tags(language: str) -> Iterator[Family]:
    return page(
        "tag",
        language,
        addresses.tag_page("{slug}"),
        partial(blog.compose_list, blog.summarize_tag),
        PostListSource(
            questions.tags,
            questions.posts_of_tag,
            "slug",
            lambda context, title: read_tags_of_posts(context)[title.slug],
            language,
        ),
        blog.summarize_tag,
        lambda context: read_labels(questions.tags, context, language),
        rows=partial(questions.tags, language=language),
        lists_pages=True,
    )


def pages_of_posts(language: str) -> Iterator[Family]:
    return page(
        "post",
        language,
        addresses.post_page("{slug}"),
        blog.compose_page,
        ARTICLES,
        blog.summarize_page,
        lambda context: read_titles(context, language),
        part=lambda article: article.in_language(language),
        rows=partial(questions.posts_in, language=language),
    )


def standing_page(
    slug: str,
    compose: Compose,
    gather: Callable[[Context, Any, str], Any],
    language: str,
) -> Iterator[Family]:
    """Yield the families of a standing page; `gather` returns its subject, made of its text."""
    texts = partial(standing_text, slug, language)

    def read(context: Context) -> Any:
        text = next(iter(texts(context)), None)
        if text is None:
            return None
        for name in questions.TEXTS:
            typed = getattr(text, name)
            setattr(text, name, typed.replace(addresses.SITE_PLACEHOLDER, context.site.root))
        todays_links(context).write(vars(text), addresses.STANDING_PAGES[slug])
        return gather(context, text, language)

    return page(
        slug,
        language,
        addresses.STANDING_PAGES[slug],
        compose,
        One(read),
        standing.summarize_page,
        texts,
    )


def standing_text(slug: str, language: str, context: Context) -> list[Page]:
    """Return the text of a standing page, or nothing if it has none in a language."""
    text = subjects.read_standing_texts(context).get(slug)
    return [text] if text and has_text(text, "body", language) else []


def text_page(slug: str, language: str) -> Iterator[Family]:
    """Yield the families of a standing page that is the editors' text alone."""
    return standing_page(slug, standing.compose_standing, lambda context, text, _: text, language)


def swagger_page(language: str) -> Iterator[Family]:
    """Yield the families of Swagger UI, which exists only beside the reference."""
    texts = partial(standing_text, "docs-api", language)
    return page(
        "swagger",
        language,
        swagger.SWAGGER_ADDRESS,
        swagger.compose_page,
        One(lambda context: next(iter(texts(context)), None)),
        swagger.summarize_page,
        texts,
    )


def search_page(language: str) -> Iterator[Family]:
    """Yield the families of the page on which readers search; its index needs a studio."""
    return page(
        "search",
        language,
        addresses.SEARCH,
        search.compose_page,
        single_row(questions.studio),
        search.summarize_page,
        lambda context: questions.studio(context.at),
        lists_pages=True,
    )


def pages_of_reference(language: str) -> Iterator[Family]:
    read = partial(outline.read_published, language)
    return page(
        "reference",
        language,
        addresses.reference_page("{slug}"),
        reference.compose_page,
        Listed(read),
        reference.summarize_page,
        read,
    )


def page(
    name: str,
    language: str,
    template: str,
    compose: Compose,
    source: Source,
    summarize: Summarize,
    rows_of_summaries: Callable[[Context], Iterable[Any]],
    *,
    part: Callable[[Any], Any] = whole_subject,
    rows: Question | None = None,
    lists_pages: bool = False,
) -> Iterator[Family]:
    """Yield the family of a page in a language, and that of its mirror.

    `template` is the address in English. The other arguments are those of `Family`.
    """

    def summarize_all(context: Context) -> Iterable[PageSummary]:
        with override(language):
            frame = context.frames[language]
            return [summarize(frame, row) for row in rows_of_summaries(context)]

    here = addresses.page_in(language, template)
    composer = Composer(compose)
    family = Family(
        f"{name}-{language}",
        here,
        headers.HTML_TYPE,
        partial(render_page, html.write_html, composer, language),
        partial(headers.page_headers, language),
        source=source,
        part=part,
        rows=rows,
        language=language,
        lists_pages=lists_pages,
        summarize=summarize_all,
    )
    mirror = replace(
        family,
        name=f"{name}-{language}-mirror",
        template=addresses.mirror_of(here),
        media_type=headers.MARKDOWN_TYPE,
        render=partial(render_page, markdown.write_markdown, composer, language),
        headers=partial(headers.mirror_headers, language),
        summarize=no_summaries,
    )
    yield replace(family, mirror=mirror)
    yield mirror


class Composer:
    """Composes a page once for its HTML and its mirror, which are rendered one after the other."""

    def __init__(self, compose: Compose) -> None:
        self.compose = compose
        self.last: tuple[Frame, Any, PageContent] | None = None

    def __call__(self, frame: Frame, subject: Any) -> PageContent:
        last = self.last
        if last and last[0] is frame and last[1] is subject:
            return last[2]
        page = self.compose(frame, subject)
        self.last = (frame, subject, page)
        return page


def render_page(
    write: Write, compose: Compose, language: str, context: Context, address: str, subject: Any
) -> bytes:
    frame: Frame = context.frames[language]
    with override(language):
        return write(frame, compose(frame, subject))
