"""The machine-readable files as families of the registry, which says what they list."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from django.utils import timezone
from msgspec import Struct

from catalogue import addresses, questions
from catalogue.localized import ENGLISH
from catalogue.models import Studio
from site_mirror import headers
from site_mirror.context import Context
from site_mirror.documents import Content, Family, Render
from site_mirror.listing import Listed, Pages, Publisher
from site_mirror.machine import agents, api_catalog, feeds, humans, llms, robots, security, sitemap
from site_mirror.machine.humans import Person
from site_mirror.pages import blog
from site_mirror.sources import Sole

PagesOf = Callable[[Context], Pages]
"""Every page, in short."""

Mirrors = Callable[[Context], Iterable[bytes]]
"""The Markdown of every page."""


def machine_files(
    pages: PagesOf, mirrors: Mirrors, endpoints: Callable[[], dict[str, str]]
) -> Iterator[Family]:
    yield from of_all_pages(pages)
    yield from of_the_studio(pages, mirrors, endpoints)
    yield file(
        "robots", addresses.ROBOTS, headers.TEXT, lambda context, _: robots.text(context.site)
    )
    yield Family(
        "api-catalog",
        addresses.API_CATALOG,
        headers.LINKSET,
        lambda context: lambda address, rows: api_catalog.linkset(context.site),
        headers.catalogue_headers,
    )


def file(
    name: str,
    address: str,
    media_type: str,
    write: Callable[[Context, Any], Content],
    *,
    asks: bool = True,
    **options: Any,
) -> Family:
    """One file; `write` gets what `source` has and, where it `asks`, looks at more."""

    def renderer(context: Context) -> Render:
        return lambda address, subject: write(context, subject)

    return Family(name, address, media_type, renderer, headers.file_headers, asks=asks, **options)


def of_the_studio(
    pages: PagesOf, mirrors: Mirrors, endpoints: Callable[[], dict[str, str]]
) -> Iterator[Family]:
    """What tells who publishes the site: each is published when there is a studio."""
    studios = partial(file, source=Sole(questions.studio))

    def everything(context: Context, studio: Studio) -> Content:
        found = pages(context).for_reading()
        return llms.full_text(context.site, publisher(studio), found, mirrors(context))

    def instructions(context: Context, studio: Studio) -> Content:
        return agents.text(context.site, publisher(studio), endpoints())

    def atom(context: Context, studio: Studio) -> Content:
        return feeds.atom(context.site, publisher(studio), newest_posts(context))

    def json(context: Context, studio: Studio) -> Content:
        return feeds.json(context.site, publisher(studio), newest_posts(context))

    yield studios("llms-full", addresses.LLMS_FULL, headers.TEXT, everything, last=True)
    yield studios("agent-instructions", addresses.AGENTS, headers.MARKDOWN, instructions)
    yield studios("security", addresses.SECURITY, headers.TEXT, whom_to_tell)
    yield studios("humans", addresses.HUMANS, headers.TEXT, who_made_it)
    yield studios("atom-feed", addresses.ATOM_FEED, headers.ATOM, atom)
    yield studios("json-feed", addresses.JSON_FEED, headers.JSON_FEED, json)


def publisher(studio: Studio) -> Publisher:
    summary = studio.description_en or studio.tagline_en or f"The site of {studio.name}."
    return Publisher(studio.name, summary, studio.email)


def newest_posts(context: Context) -> list[Listed]:
    rows = questions.post_titles(context.at)[: feeds.LENGTH]
    return [blog.listed(context.frames[ENGLISH], row) for row in rows]


def whom_to_tell(context: Context, studio: Studio) -> Content:
    """By the clock: the file must be valid today, whatever moment the site is of."""
    return security.text(
        context.site,
        contact=studio.security_contact or f"mailto:{studio.email}",
        policy=studio.security_policy,
        languages=studio.languages,
        at=timezone.now(),
    )


def who_made_it(context: Context, studio: Studio) -> Content:
    people = (Person(member.handle, member.role_en) for member in questions.team(context.at))
    return humans.text(
        context.site,
        publisher(studio),
        country=studio.country_name,
        people=people,
        thanks=studio.thanks,
        languages=studio.languages,
    )


def of_all_pages(pages: PagesOf) -> Iterator[Family]:
    """Lists of every page. The index for language models is published when there is a studio."""
    lists = partial(file, source=Overviews(pages), asks=False)

    def index(context: Context, found: tuple[Publisher, Pages]) -> Content:
        return llms.text(context.site, *found)

    def whole(context: Context, pages: Pages) -> Content:
        return sitemap.xml(context.site, pages)

    def part(context: Context, part: sitemap.Part) -> Content:
        return sitemap.urls(context.site, part.of(pages(context)))

    def list_of_pages(context: Context, pages: Pages) -> Content:
        return sitemap.markdown(context.site, pages)

    several = addresses.sitemap_part("{slug}")
    yield lists("llms", addresses.LLMS, headers.TEXT, index, part=introduced)
    yield lists("sitemap", addresses.SITEMAP, headers.XML, whole, part=in_short)
    yield file("sitemap-part", several, headers.XML, part, source=Parts(pages))
    yield lists("site-map", addresses.SITE_MAP, headers.MARKDOWN, list_of_pages, part=in_short)


class Overview(Struct, frozen=True):
    """Every page in short, and who publishes them: a pack of this one subject."""

    pages: Pages
    publisher: Publisher | None

    def filled(self) -> "Overview":
        return self

    def contents(self) -> list["Overview"]:
        return [self]

    def __iter__(self) -> Iterator["Overview"]:
        yield self


class Overviews(Struct, frozen=True):
    """Of the lists of every page."""

    pages: PagesOf

    def all(self, context: Context) -> Iterator[Overview]:
        studio = questions.studio(context.at).first()
        yield Overview(self.pages(context), publisher(studio) if studio else None)

    def packs(self, context: Context, *, read: bool = True) -> Iterator[Overview]:
        return self.all(context)

    def one(self, context: Context, slug: str) -> Overview:
        return next(self.all(context))


def in_short(found: Overview) -> Pages:
    return found.pages


def introduced(found: Overview) -> tuple[Publisher, Pages] | None:
    """The pages of somebody."""
    return (found.publisher, found.pages) if found.publisher else None


class Parts(Struct, frozen=True):
    """Of a document for each part of a site map that has too many pages for one."""

    pages: PagesOf

    def all(self, context: Context) -> Iterable[sitemap.Part]:
        return sitemap.parts(self.pages(context))

    def one(self, context: Context, slug: str) -> sitemap.Part | None:
        return next((part for part in self.all(context) if part.slug == slug), None)
