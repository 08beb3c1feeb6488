"""The files for programs as families of the registry."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from html import escape
from typing import Any

from django.utils import timezone
from django.utils.translation import override
from msgspec import Struct

from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import Post, Revision, Studio
from catalogue.texts.localized import ENGLISH, LANGUAGES, text_in
from site_mirror.documents import headers
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context, todays_links
from site_mirror.documents.family import DocumentContent, Family
from site_mirror.documents.sources import Listed, One, single_row
from site_mirror.documents.summaries import PageSummary, Publisher, in_reading_order
from site_mirror.machine import (
    agents,
    ai_catalog,
    api_catalog,
    feeds,
    humans,
    llms,
    robots,
    search_index,
    security,
    sitemap,
    web_manifest,
)
from site_mirror.machine.feeds import Feed, FeedItem
from site_mirror.pages import blog
from site_mirror.pages.docs.changes import CHANGES, Change
from site_mirror.pages.docs.schemas import translate
from site_mirror.pages.frame import Frame
from site_mirror.pages.templating import prose_html
from site_mirror.pages.texts import localized_text

PagesOf = Callable[[Context], Sequence[PageSummary]]
"""Returns the summaries of all pages."""

Mirrors = Callable[[Context], Iterable[bytes]]
"""Returns the Markdown of all pages."""

STUDIO = single_row(questions.studio)
"""The source of files that name the publisher; they are published if there is a studio."""


def machine_files(pages: PagesOf, mirrors: Mirrors) -> Iterator[Family]:
    yield from page_list_files(pages)
    yield from studio_files(pages, mirrors)
    yield machine_file(
        "robots", addresses.ROBOTS, headers.TEXT_TYPE, lambda at, *_: robots.robots_txt(at.site)
    )
    yield Family(
        "api-catalog",
        addresses.API_CATALOG,
        headers.LINKSET_TYPE,
        lambda context, address, rows: api_catalog.linkset(context.site),
        headers.catalogue_headers,
    )


def machine_file(
    name: str, address: str, media_type: str, render: Callable[..., Any], **options: Any
) -> Family:
    return Family(name, address, media_type, render, headers.file_headers, derived=True, **options)


def page_list_files(pages: PagesOf) -> Iterator[Family]:
    """Yield the lists of all pages; the index for language models needs a studio."""

    def index(context: Context, address: str, studio: Studio) -> DocumentContent:
        return llms.llms_txt(context.site, publisher_of(studio), pages(context))

    def whole(context: Context, *_: Any) -> DocumentContent:
        return sitemap.sitemap_xml(context.site, pages(context))

    def part(context: Context, address: str, part: sitemap.SitemapPart) -> DocumentContent:
        return sitemap.urlset_xml(context.site, part.of(pages(context)))

    def list_of_pages(context: Context, *_: Any) -> DocumentContent:
        return sitemap.sitemap_markdown(context.site, pages(context))

    several = addresses.sitemap_part("{slug}")
    parts = Listed(lambda context: sitemap.sitemap_parts(pages(context)))
    yield machine_file("llms", addresses.LLMS, headers.TEXT_TYPE, index, source=STUDIO)
    yield machine_file("sitemap", addresses.SITEMAP, headers.XML_TYPE, whole)
    yield machine_file("sitemap-part", several, headers.XML_TYPE, part, source=parts)
    yield machine_file("site-map", addresses.SITE_MAP, headers.MARKDOWN_TYPE, list_of_pages)


def studio_files(pages: PagesOf, mirrors: Mirrors) -> Iterator[Family]:
    """Yield the files that name the publisher."""

    def everything(context: Context, address: str, studio: Studio) -> bytes:
        state = (Revision.objects.values_list().first(), questions.next_due(context.at))
        write = partial(write_everything, context, studio, mirrors(context))
        return keep_everything(EveryPage(context.site.root, state, write))

    def everything_built(context: Context, built: Built) -> bytes:
        files = (built.find_file(page.mirror[1:]) for page in in_reading_order(pages(context)))
        texts = (file.read_bytes() for file in files if file.is_file())
        return write_everything(context, questions.studio(context.at).get(), texts)

    def write_everything(context: Context, studio: Studio, texts: Iterable[bytes]) -> bytes:
        listed = in_reading_order(pages(context))
        return llms.llms_full_txt(context.site, publisher_of(studio), listed, texts)

    def index(language: str, read: Callable[..., bytes], context: Context, *subject: Any) -> bytes:
        joined = read(context, *subject)
        return search_index.search_index(context.site, language, pages(context), joined)

    yield machine_file(
        "llms-full",
        addresses.LLMS_FULL,
        headers.TEXT_TYPE,
        everything,
        source=STUDIO,
        render_built=everything_built,
    )
    for language in LANGUAGES:
        yield machine_file(
            f"search-index-{language}",
            addresses.page_in(language, addresses.SEARCH_INDEX),
            headers.JSON_TYPE,
            partial(index, language, everything),
            source=STUDIO,
            render_built=partial(index, language, everything_built),
        )
    for name, address, media_type, render in (
        ("agent-instructions", addresses.AGENTS, headers.MARKDOWN_TYPE, render_instructions),
        ("ai-catalog", addresses.AI_CATALOG, headers.AI_CATALOG_TYPE, render_ai_catalog),
        ("security", addresses.SECURITY_TXT, headers.TEXT_TYPE, render_security_txt),
        ("web-manifest", addresses.WEB_MANIFEST, headers.WEB_MANIFEST_TYPE, render_web_manifest),
        ("humans", addresses.HUMANS, headers.TEXT_TYPE, render_humans_txt),
    ):
        yield machine_file(name, address, media_type, render, source=STUDIO)
    for language in LANGUAGES:
        yield from feed_families(language)
        yield changes_feed(language)


@dataclass(frozen=True)
class EveryPage:
    """The text of all pages; two are equal if nothing was written or fell due between them."""

    root: str
    state: tuple[Any, datetime | None]
    write: Callable[[], bytes] = field(compare=False)


@lru_cache(maxsize=1)
def keep_everything(text: EveryPage) -> bytes:
    """Return the text, cached because it takes ten times as long as another document."""
    return text.write()


class FeedSubject(Struct, frozen=True):
    """The subject of the feeds of a language: their publisher, and the newest articles."""

    studio: Studio
    posts: Sequence[Post]


def feed_families(language: str) -> Iterator[Family]:
    """Yield the feeds of a language, Atom and JSON Feed; published if there is a studio."""
    source = One(partial(read_feed, language))
    for form, english_address, media_type, write in (
        ("atom", addresses.ATOM_FEED, headers.ATOM_TYPE, feeds.atom_feed),
        ("json", addresses.JSON_FEED, headers.JSON_FEED_TYPE, feeds.json_feed),
    ):
        name = f"{form}-feed" if language == ENGLISH else f"{form}-feed-{language}"
        address = addresses.page_in(language, english_address)
        render = partial(render_feed, write, language)
        yield Family(name, address, media_type, render, headers.file_headers, source=source)


def changes_feed(language: str) -> Family:
    """Return the feed of the changes of the API in a language, published beside their page."""

    def read(context: Context) -> Studio | None:
        has_page = context.frames[language].has_standing_page("docs-api")
        return questions.studio(context.at).first() if has_page else None

    def render(context: Context, address: str, studio: Studio) -> DocumentContent:
        frame, publisher = context.frames[language], publisher_of(studio, language)
        page = frame.address_here(addresses.reference_page("changes"))
        with override(language):
            title = f"{translate('Changes of the API')} · {frame.studio}"
        items = [change_item(language, page, each) for each in CHANGES]
        return feeds.atom_feed(context.site, Feed(language, page, publisher, items, title), address)

    address = addresses.page_in(language, addresses.CHANGES_FEED)
    name, source = f"changes-feed-{language}", One(read)
    return Family(name, address, headers.ATOM_TYPE, render, headers.file_headers, source=source)


def change_item(language: str, page: str, change: Change) -> FeedItem:
    title, text = change.title[language], change.text[language].replace("`", "")
    address = f"{page}#{change.slug}"
    summary = PageSummary(address, language, title, text, moment=change.moment)
    return FeedItem(change.id[language], summary, f"<p>{escape(text)}</p>")


def read_feed(language: str, context: Context) -> FeedSubject | None:
    studio = questions.studio(context.at).first()
    if studio is None:
        return None
    newest = questions.posts_in(context.at, language=language).select_related("author")
    posts = list(newest[: feeds.MAX_ARTICLES_IN_FEED])
    links = todays_links(context)
    for post in posts:
        links.write(vars(post), addresses.post_page(post.slug))
    return FeedSubject(studio, posts)


def render_feed(
    write: Callable[[Site, Feed, str], DocumentContent],
    language: str,
    context: Context,
    address: str,
    subject: FeedSubject,
) -> DocumentContent:
    with override(language):
        return write(context.site, build_feed(context.frames[language], subject), address)


def build_feed(frame: Frame, subject: FeedSubject) -> Feed:
    has_home = frame.has_standing_page("home")
    return Feed(
        language=frame.language,
        home=frame.address_here(addresses.HOME) if has_home else addresses.HOME,
        publisher=publisher_of(subject.studio, frame.language),
        items=[build_feed_item(frame, post) for post in subject.posts],
    )


def build_feed_item(frame: Frame, post: Post) -> FeedItem:
    return FeedItem(
        id=text_in(post, "feed_id", frame.language),
        page=blog.summarize_page(frame, post),
        html=prose_html(
            text_in(post, "body", frame.language), frame.language, "", post.shown_images
        ),
        topics=[localized_text(frame, tag, "name") for tag in post.shown_tags],
        author=str(post.author) if post.author else None,
    )


def publisher_of(studio: Studio, language: str = ENGLISH) -> Publisher:
    texts = (text_in(studio, name, language) for name in ("description", "tagline"))
    summary = next(filter(None, texts), f"The site of {studio.name}.")
    return Publisher(studio.name, summary, studio.email)


def render_instructions(context: Context, address: str, studio: Studio) -> DocumentContent:
    return agents.agent_instructions(context.site, publisher_of(studio))


def render_ai_catalog(context: Context, address: str, studio: Studio) -> DocumentContent:
    return ai_catalog.ai_catalog(context.site, publisher_of(studio))


def render_web_manifest(context: Context, address: str, studio: Studio) -> DocumentContent:
    return web_manifest.web_app_manifest(studio.name)


def render_security_txt(context: Context, address: str, studio: Studio) -> DocumentContent:
    """Render the file for the present month, because it must be valid whatever `context.at` is."""
    return security.security_txt(
        context.site,
        contact=todays_links(context).of_link(studio.security_contact, addresses.HOME)
        or f"mailto:{studio.email}",
        policy=todays_links(context).of_link(studio.security_policy, addresses.HOME),
        languages=studio.languages,
        at=timezone.now(),
    )


def render_humans_txt(context: Context, address: str, studio: Studio) -> DocumentContent:
    return humans.humans_txt(
        context.site,
        publisher_of(studio),
        country=studio.country_name,
        roles=[(str(member), member.role_en) for member in questions.team(context.at)],
        thanks=studio.thanks,
        languages=studio.languages,
    )
