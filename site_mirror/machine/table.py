"""The machine-readable files as families of the registry, which says what they list."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import override
from msgspec import Struct

from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.localized import ENGLISH, LANGUAGES, in_language
from catalogue.models import Post, Studio
from site_mirror import headers
from site_mirror.context import Context
from site_mirror.documents import Content, Family, Render
from site_mirror.listing import Pages, Publisher
from site_mirror.machine import (
    agents,
    api_catalog,
    feeds,
    humans,
    llms,
    robots,
    security,
    sitemap,
    web_manifest,
)
from site_mirror.machine.feeds import Feed, FeedItem
from site_mirror.machine.humans import Person
from site_mirror.pages import blog
from site_mirror.pages.frame import Frame
from site_mirror.pages.templating import prose
from site_mirror.pages.texts import said
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

    yield studios("llms-full", addresses.LLMS_FULL, headers.TEXT, everything, last=True)
    yield studios("agent-instructions", addresses.AGENTS, headers.MARKDOWN, instructions)
    yield studios("security", addresses.SECURITY, headers.TEXT, whom_to_tell)
    yield studios("web-manifest", addresses.WEB_MANIFEST, headers.WEB_MANIFEST, how_to_show_it)
    yield studios("humans", addresses.HUMANS, headers.TEXT, who_made_it)
    for language in LANGUAGES:
        yield from feeds_in(language)


def feeds_in(language: str) -> Iterator[Family]:
    """The articles of a language as Atom and as JSON Feed, published when there is a studio."""
    forms = (
        ("atom", addresses.ATOM_FEED, headers.ATOM, feeds.atom),
        ("json", addresses.JSON_FEED, headers.JSON_FEED, feeds.json),
    )
    for form, english_address, media_type, write in forms:
        address = in_this_language(language, english_address)
        yield file(
            f"{form}-feed" if language == ENGLISH else f"{form}-feed-{language}",
            address,
            media_type,
            partial(written_feed, write, language, address),
            source=Sole(questions.studio),
        )


def in_this_language(language: str, address: str) -> str:
    return address if language == ENGLISH else addresses.vietnamese(address)


def written_feed(
    write: Callable[[Site, Feed, str], Content],
    language: str,
    address: str,
    context: Context,
    studio: Studio,
) -> Content:
    with override(language):
        return write(context.site, feed(context, language, studio), address)


def how_to_show_it(context: Context, studio: Studio) -> Content:
    return web_manifest.manifest(studio.name)


def feed(context: Context, language: str, studio: Studio) -> Feed:
    frame: Frame = context.frames[language]
    rows = questions.posts_in(context.at, language=language).prefetch_related("tags")
    return Feed(
        language=language,
        home=frame.here(addresses.HOME) if frame.stands("home") else addresses.HOME,
        publisher=publisher(studio, language),
        items=[feed_item(frame, post) for post in rows[: feeds.LENGTH]],
    )


def feed_item(frame: Frame, post: Post) -> FeedItem:
    return FeedItem(
        page=blog.listed(frame, post),
        html=prose(in_language(post, "body", frame.language), frame.language, ""),
        topics=[said(frame, tag, "name") for tag in post.shown_tags],
    )


def publisher(studio: Studio, language: str = ENGLISH) -> Publisher:
    told = (in_language(studio, name, language) for name in ("description", "tagline"))
    summary = next(filter(None, told), f"The site of {studio.name}.")
    return Publisher(studio.name, summary, studio.email)


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
