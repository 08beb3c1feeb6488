"""Kinds of families other than pages: endpoints of the API, icons and assets."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from django.db.models import Exists, OuterRef
from msgspec import Struct
from msgspec.structs import replace

from api.contract import JSON
from api.endpoints import ENDPOINTS, Endpoint
from api.envelope import envelope, join_items
from api.headers import DOCUMENT_CACHING, Headers, document_headers
from api.schema import openapi_description
from catalogue import addresses, questions
from catalogue.models import Format, Image
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents import headers
from site_mirror.documents.assets import Asset
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest
from site_mirror.documents.family import DocumentContent, Family, Render
from site_mirror.documents.sources import (
    ROWS_PER_READ,
    EachRow,
    Group,
    One,
    Source,
    divide_rows,
    single_row,
)
from site_mirror.pages.blog_sources import ARTICLES


def endpoint_families() -> Iterator[Family]:
    """Yield the family of each endpoint; a freeze joins the list of posts from their documents."""
    for endpoint in ENDPOINTS:
        family = api_family(
            endpoint.operation,
            endpoint.address,
            partial(write_endpoint, endpoint),
            endpoint.caching,
            source=source_of(endpoint),
            rows=endpoint.rows if endpoint.has_parameter else None,
        )
        if endpoint.operation == "getPost":
            family = replace(family, source=ARTICLES, part=attrgetter("post"), items=True)
        if endpoint.operation == "listPosts":
            family = replace(family, render_built=join_posts)
        yield family


def api_family(
    name: str,
    address: str,
    render: Render,
    caching: Headers = DOCUMENT_CACHING,
    **options: Any,
) -> Family:
    always = document_headers(caching)

    def api_headers(context: Context, address: str) -> Headers:
        return {**always, **context.lifecycle}

    return Family(name, address, JSON, render, api_headers, **options)


def write_endpoint(
    endpoint: Endpoint, context: Context, address: str, subject: Any
) -> DocumentContent:
    return endpoint.writer(context.site)(address, subject)


def source_of(endpoint: Endpoint) -> Source:
    if not endpoint.is_item:
        return One(lambda context: endpoint.rows(context.at))
    return EachRow(endpoint.rows) if endpoint.has_parameter else single_row(endpoint.rows)


def join_posts(context: Context, built: Built) -> DocumentContent:
    empty = envelope(context.site, addresses.api_address("/posts"), [])
    return join_items(empty, built.items.get("getPost", ()))


def openapi_family() -> Family:
    def render(context: Context, address: str, rows: Any) -> DocumentContent:
        return openapi_description(context.at)

    return api_family("openapi", addresses.OPENAPI, render, derived=True)


def icon_family() -> Family:
    return Family(
        "icon",
        "/icons/{slug}.svg",
        headers.SVG_TYPE,
        lambda context, address, app: str(app.icon_svg).encode(),
        partial(headers.image_headers, headers.DRAWING_SECURITY_POLICY),
        source=EachRow(questions.apps_with_icon),
        rows=questions.apps_with_icon,
    )


class ImageSource(Struct, frozen=True):
    """The images that texts show. A freeze reads one after the other, because files are large."""

    def all(self, context: Context) -> Iterator[Image]:
        return questions.images(context.at).iterator(chunk_size=1)

    def one(self, context: Context, slug: str) -> Image | None:
        return questions.images(context.at, slug=slug).filter(slug=slug).first()

    def groups(self, context: Context) -> Iterator[Group]:
        return (Group(partial(list, [image]), digest(image)) for image in self.all(context))


IMAGES = ImageSource()


def image_families() -> Iterator[Family]:
    """Yield the families of the files of images: WebP in two widths, and drawings."""
    for name, address, media_type, column in (
        ("image", addresses.image("{slug}", Format.WEBP), headers.WEBP_TYPE, "file"),
        ("small-image", addresses.small_image("{slug}"), headers.WEBP_TYPE, "small"),
        ("drawing", addresses.image("{slug}", Format.SVG), headers.SVG_TYPE, "file"),
    ):
        yield Family(
            name,
            address,
            media_type,
            partial(file_of_image, column),
            partial(headers.image_headers, headers.IMAGE_SECURITY_POLICY),
            source=IMAGES,
            part=partial(image_with, column, address.rpartition(".")[2]),
        )


def image_with(column: str, suffix: str, image: Image) -> Image | None:
    """Return an image if it has a file in a column and of a format."""
    return image if image.format == suffix and getattr(image, column) else None


def file_of_image(column: str, context: Context, address: str, image: Image) -> bytes:
    return bytes(getattr(image, column))


class PictureSource(Struct, frozen=True):
    """The pictures of the pages of rows in a language. A freeze reads those that it builds."""

    question: Callable[..., Any]
    language: str

    def rows(self, at: datetime) -> Any:
        rows = questions.with_pictures(self.question(at, language=self.language))
        return rows.filter(**{f"has_picture_{self.language}": True})

    def pictures(self, context: Context) -> Any:
        rows = self.question(context.at, language=self.language)
        # Not `owner__in`, for which SQLite reads all rows to find one picture.
        seen = Exists(rows.filter(pk=OuterRef("owner_id")))
        return questions.pictures(rows, self.language).filter(seen)

    def all(self, context: Context) -> Iterator[Any]:
        return iter(self.pictures(context).iterator(chunk_size=ROWS_PER_READ))

    def one(self, context: Context, slug: str) -> Any:
        return self.pictures(context).filter(slug=slug).first()

    def groups(self, context: Context) -> Iterator[Group]:
        pictures = self.pictures(context)
        for group in divide_rows(pictures.values_list("slug", "digest"), itemgetter(0)):
            chosen = pictures.filter(slug__in=[slug for slug, _ in group])
            yield Group(partial(list, chosen), digest(group))


def picture_families() -> Iterator[Family]:
    """Yield the families of the pictures of pages, which other sites show beside a link."""
    for name, page, question in (
        ("app", addresses.app_page("{slug}"), questions.apps_in),
        ("post", addresses.post_page("{slug}"), questions.posts_in),
        ("tag", addresses.tag_page("{slug}"), questions.tags),
    ):
        for language in LANGUAGES:
            source = PictureSource(question, language)
            yield Family(
                f"{name}-{language}-picture",
                addresses.picture_of(addresses.page_in(language, page)),
                headers.MEDIA_TYPES[".png"],
                lambda context, address, picture: bytes(picture.png),
                headers.file_headers,
                source=source,
                rows=source.rows,
            )


def asset_family(each: Asset) -> Family:
    return Family(
        each.name,
        each.address,
        headers.MEDIA_TYPES[each.suffix],
        lambda context, address, rows: each.body,
        headers.asset_headers,
    )
