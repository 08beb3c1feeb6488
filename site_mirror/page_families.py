"""Families of pages: each page has a mirror, in each language that it is written in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from django.utils.translation import get_language, override

from catalogue import addresses, questions
from catalogue.localized import ENGLISH, LANGUAGES
from site_mirror import headers
from site_mirror.context import Context
from site_mirror.documents import Family, Render, itself, nothing
from site_mirror.listing import Listed, Several
from site_mirror.pages import html, markdown, standing
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.sources import BATCH, Counted, Gathered, Question, Sole, Source

Write = Callable[[Frame, Page], bytes]
NOT_FORMER: Mapping[str, Question] = {}
HELD = 20_000
"""Pages of a family in short up to which they are made once, for all lists of them."""

Compose = Callable[[Frame, Any], Page]
"""From a subject to what its page says."""

List = Callable[[Frame, Any], Listed]
"""From a subject to its page in short."""


Prepare = Callable[[Iterable[Any]], None]


def unprepared(language: str) -> Prepare:
    return nothing


def whole(language: str) -> Callable[[Any], Any]:
    return itself


def page(
    name: str,
    template: str,
    compose: Compose,
    listed: List,
    source: Callable[[str], Source],
    *,
    in_short: Callable[[str], Source] | None = None,
    part: Callable[[str], Callable[[Any], Any]] = whole,
    former: Mapping[str, Question] = NOT_FORMER,
    prepare: Callable[[str], Prepare] = unprepared,
    policy: str = headers.CONTENT_SECURITY_POLICY,
    of_pages: bool = False,
) -> Iterator[Family]:
    """A page and its mirror in both languages.

    `source` and `in_short` make of a language where the pages and the lists of them have their
    subjects from; `part` makes of it the page's part of a subject; `former` has the rows of former
    slugs of each language; `prepare` makes of it what is done for many pages at once.
    """
    for language in LANGUAGES:
        yield from in_one_language(
            name,
            language,
            template if language == ENGLISH else addresses.vietnamese(template),
            compose,
            source(language),
            part(language),
            partial(listing, language, listed, (in_short or source)(language)),
            former.get(language),
            policy,
            prepare=prepare(language),
            of_pages=of_pages,
        )


def listing(language: str, listed: List, source: Source, context: Context) -> Several[Listed]:
    frame: Frame = context.frames[language]
    if isinstance(source, Counted):
        return Listing(frame, listed, source.several(context))
    with override(language):
        return [listed(frame, subject) for subject in source.all(context)]


@dataclass(slots=True)
class Listing:
    """Many pages in short; they are made once, unless they are too many to be held."""

    frame: Frame
    listed: List = field(compare=False)
    rows: Several[Any]
    held: list[Listed] = field(default_factory=list, init=False, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Listed]:
        if len(self.rows) > HELD:
            return self.made()
        self.held = self.held or list(self.made())
        return iter(self.held)

    def made(self) -> Iterator[Listed]:
        subjects = iter(self.rows)
        while some := list(islice(subjects, BATCH)):
            with override(self.frame.language):
                pages = [self.listed(self.frame, subject) for subject in some]
            yield from pages


def in_one_language(
    name: str,
    language: str,
    template: str,
    compose: Compose,
    source: Source,
    part: Callable[[Any], Any],
    listing: Callable[[Context], Several[Listed]],
    former: Question | None = None,
    policy: str = headers.CONTENT_SECURITY_POLICY,
    *,
    prepare: Prepare = nothing,
    of_pages: bool = False,
) -> Iterator[Family]:
    composer = Composer(compose)

    def renderer(write: Write, context: Context) -> Render:
        return partial(written, write, composer, context.frames[language])

    mirror = Family(
        f"{name}-{language}-mirror",
        addresses.mirror(template),
        headers.MARKDOWN,
        partial(renderer, markdown.write),
        partial(headers.mirror_headers, language),
        source=source,
        part=part,
        former=former,
        language=language,
        of_pages=of_pages,
    )
    yield Family(
        f"{name}-{language}",
        template,
        headers.HTML,
        partial(renderer, html.write),
        partial(headers.page_headers, language, policy),
        source=source,
        part=part,
        former=former,
        language=language,
        of_pages=of_pages,
        mirror=mirror,
        prepare=prepare,
        listing=listing,
    )
    yield mirror


class Composer:
    """Composes a page once for both of its forms, which are asked for one after the other."""

    def __init__(self, compose: Compose) -> None:
        self.compose = compose
        self.last: tuple[Frame, Any, Page] | None = None

    def __call__(self, frame: Frame, subject: Any) -> Page:
        last = self.last
        if last and last[0] is frame and last[1] is subject:
            return last[2]
        page = self.compose(frame, subject)
        self.last = (frame, subject, page)
        return page


def written(write: Write, compose: Compose, frame: Frame, address: str, subject: Any) -> bytes:
    if get_language() == frame.language:
        return write(frame, compose(frame, subject))
    with override(frame.language):
        return write(frame, compose(frame, subject))


def standing_page(
    slug: str,
    compose: Compose = standing.standing,
    gather: Callable[..., Any] | None = None,
    *,
    source: Callable[[str], Source] | None = None,
    policy: str = headers.CONTENT_SECURITY_POLICY,
) -> Iterator[Family]:
    """A page that an editor opens; `gather` or `source` is asked for what else it shows."""

    def text(language: str) -> Source:
        return Sole(partial(questions.page, slug=slug, language=language))

    def everything(language: str) -> Source:
        return Gathered(partial(gather, language=language)) if gather else text(language)

    yield from page(
        slug,
        addresses.STANDING_PAGES[slug],
        compose,
        standing.listed,
        source or everything,
        in_short=text,
        policy=policy,
    )


def english_page(
    name: str,
    address: str,
    compose: Compose,
    listed: List,
    source: Source,
    *,
    policy: str = headers.CONTENT_SECURITY_POLICY,
) -> Iterator[Family]:
    """One page that is written in English only."""
    in_short = partial(listing, ENGLISH, listed, source)
    yield from in_one_language(
        name, ENGLISH, address, compose, source, itself, in_short, policy=policy
    )
