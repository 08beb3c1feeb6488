"""Families of pages: each page has a mirror, in each of its languages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from django.utils.translation import get_language, override
from msgspec import Struct

from catalogue import addresses, questions
from catalogue.localized import ENGLISH, LANGUAGES
from site_mirror.documents import headers
from site_mirror.documents.context import Context
from site_mirror.documents.family import Family, Render, prepare_nothing, whole_subject
from site_mirror.documents.sources import (
    ROWS_PER_READ,
    CountedSource,
    Gathered,
    Question,
    SingleRow,
    Source,
)
from site_mirror.documents.summaries import PageSummary, SizedIterable
from site_mirror.pages import html, markdown, standing
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent

Write = Callable[[Frame, PageContent], bytes]
NO_FORMER_SLUGS: Mapping[str, Question] = {}
MAX_SUMMARIES_IN_MEMORY = 20_000
"""Summaries of a family's pages that are kept in memory; if there are more, none are kept."""

Compose = Callable[[Frame, Any], PageContent]
"""Returns the page of a subject."""

Summarize = Callable[[Frame, Any], PageSummary]
"""Returns the summary of the page of a subject."""

Prepare = Callable[[Iterable[Any]], None]


def without_preparation(language: str) -> Prepare:
    return prepare_nothing


def whole_subject_in(language: str) -> Callable[[Any], Any]:
    return whole_subject


def families_of_page(
    name: str,
    template: str,
    compose: Compose,
    summarize: Summarize,
    source: Callable[[str], Source],
    *,
    summarized: Callable[[str], Source] | None = None,
    part: Callable[[str], Callable[[Any], Any]] = whole_subject_in,
    former: Mapping[str, Question] = NO_FORMER_SLUGS,
    prepare: Callable[[str], Prepare] = without_preparation,
    policy: str = headers.PAGE_SECURITY_POLICY,
    lists_pages: bool = False,
) -> Iterator[Family]:
    """Yield the families of a page and its mirror in both languages.

    Arguments that are functions of a language return the source of the pages' subjects (`source`),
    that of their summaries (`summarized`), the page's part of a subject (`part`), and the
    preparation of many pages (`prepare`). `former` has the question for former slugs by language.
    """
    for language in LANGUAGES:
        yield from PageInLanguage(
            name=name,
            language=language,
            template=template if language == ENGLISH else addresses.vietnamese_page(template),
            compose=compose,
            source=source(language),
            part=part(language),
            summarize=partial(
                summarize_subjects, language, summarize, (summarized or source)(language)
            ),
            former=former.get(language),
            policy=policy,
            prepare=prepare(language),
            lists_pages=lists_pages,
        ).families()


def summarize_subjects(
    language: str, summarize: Summarize, source: Source, context: Context
) -> SizedIterable[PageSummary]:
    frame: Frame = context.frames[language]
    if isinstance(source, CountedSource):
        return SummaryList(frame, summarize, source.several(context))
    with override(language):
        return [summarize(frame, subject) for subject in source.all(context)]


@dataclass(slots=True)
class SummaryList:
    """The summaries of many pages, which are cached unless there are too many for memory."""

    frame: Frame
    summarize: Summarize = field(compare=False)
    rows: SizedIterable[Any]
    cached: list[PageSummary] = field(default_factory=list, init=False, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[PageSummary]:
        if len(self.rows) > MAX_SUMMARIES_IN_MEMORY:
            return self.summarize_rows()
        self.cached = self.cached or list(self.summarize_rows())
        return iter(self.cached)

    def summarize_rows(self) -> Iterator[PageSummary]:
        subjects = iter(self.rows)
        while some := list(islice(subjects, ROWS_PER_READ)):
            with override(self.frame.language):
                pages = [self.summarize(self.frame, subject) for subject in some]
            yield from pages


class PageInLanguage(Struct, frozen=True, kw_only=True):
    """A page in one language; the fields are those of `families_of_page`."""

    name: str
    language: str
    template: str
    compose: Compose
    source: Source
    summarize: Callable[[Context], SizedIterable[PageSummary]]
    part: Callable[[Any], Any] = whole_subject
    former: Question | None = None
    policy: str = headers.PAGE_SECURITY_POLICY
    prepare: Prepare = prepare_nothing
    lists_pages: bool = False

    def families(self) -> Iterator[Family]:
        """Yield the family of the page and that of its mirror."""
        composer = Composer(self.compose)

        def renderer(write: Write, context: Context) -> Render:
            return partial(render_page, write, composer, context.frames[self.language])

        mirror = Family(
            f"{self.name}-{self.language}-mirror",
            addresses.mirror_of(self.template),
            headers.MARKDOWN_TYPE,
            partial(renderer, markdown.write_markdown),
            partial(headers.mirror_headers, self.language),
            source=self.source,
            part=self.part,
            former=self.former,
            language=self.language,
            lists_pages=self.lists_pages,
        )
        yield Family(
            f"{self.name}-{self.language}",
            self.template,
            headers.HTML_TYPE,
            partial(renderer, html.write_html),
            partial(headers.page_headers, self.language, self.policy),
            source=self.source,
            part=self.part,
            former=self.former,
            language=self.language,
            lists_pages=self.lists_pages,
            mirror=mirror,
            prepare=self.prepare,
            summarize=self.summarize,
        )
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


def render_page(write: Write, compose: Compose, frame: Frame, address: str, subject: Any) -> bytes:
    if get_language() == frame.language:
        return write(frame, compose(frame, subject))
    with override(frame.language):
        return write(frame, compose(frame, subject))


def families_of_standing_page(
    slug: str,
    compose: Compose = standing.compose_standing,
    gather: Callable[..., Any] | None = None,
    *,
    source: Callable[[str], Source] | None = None,
    policy: str = headers.PAGE_SECURITY_POLICY,
) -> Iterator[Family]:
    """Yield the families of a standing page; `gather` or `source` returns its subject.

    Without both, the subject is the editors' text.
    """

    def text(language: str) -> Source:
        return SingleRow(partial(questions.page, slug=slug, language=language))

    def everything(language: str) -> Source:
        return Gathered(partial(gather, language=language)) if gather else text(language)

    yield from families_of_page(
        slug,
        addresses.STANDING_PAGES[slug],
        compose,
        standing.summarize,
        source or everything,
        summarized=text,
        policy=policy,
    )


def families_of_english_page(
    name: str,
    address: str,
    compose: Compose,
    summarize: Summarize,
    source: Source,
    *,
    policy: str = headers.PAGE_SECURITY_POLICY,
) -> Iterator[Family]:
    """Yield the families of a page that exists in English only."""
    summarize_all = partial(summarize_subjects, ENGLISH, summarize, source)
    yield from PageInLanguage(
        name=name,
        language=ENGLISH,
        template=address,
        compose=compose,
        source=source,
        summarize=summarize_all,
        policy=policy,
    ).families()
