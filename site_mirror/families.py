"""Kinds of families: what an endpoint, a page with its mirror, or a file is."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from api import resources
from api.contract import JSON
from api.headers import DOCUMENT_CACHING, Headers, document_headers
from api.resources import Resource
from api.schema import openapi
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.localized import ENGLISH, LANGUAGES
from site_mirror import content, headers, pages
from site_mirror.content import PageContent
from site_mirror.documents import Content, Context, Family, Question, Render

ASSETS = Path(__file__).parent / "assets"

Writer = Callable[[Site, PageContent], bytes]
Table = Callable[[str, Context, str], Headers]


def endpoint(
    operation: str,
    name: str,
    address: str,
    renderer: Callable[[Context], Render],
    *,
    caching: Headers = DOCUMENT_CACHING,
    **rows: Any,
) -> Family:
    """A document of the API; `name` is what the index calls it."""

    def api_headers(context: Context, address: str) -> Headers:
        return document_headers(caching) | dict(context.lifecycle)

    return Family(operation, address, JSON, renderer, api_headers, endpoint=name, **rows)


def collection(operation: str, name: str, path: str, resource: Resource) -> Family:
    def renderer(context: Context) -> Render:
        return partial(resource.collection, context.site)

    return endpoint(operation, name, addresses.api(path), renderer, rows=resource.rows)


def item(
    operation: str, name: str, path: str, resource: Resource, former: Question | None = None
) -> Family:
    def renderer(context: Context) -> Render:
        return resource.items(context.site)

    return endpoint(
        operation,
        name,
        addresses.api(path),
        renderer,
        rows=resource.rows,
        each=True,
        former=former,
    )


def index(endpoints: Callable[[], dict[str, str]]) -> Callable[[Context], Render]:
    """The API index, of the endpoints that the registry has when it is asked."""

    def render(context: Context, address: str, versions: Any) -> Content:
        version = resources.this_version(versions)
        return resources.index(context.site, version, endpoints())

    return lambda context: partial(render, context)


def fixed(write: Callable[[], Content]) -> Callable[[Context], Render]:
    """A document that depends on no row."""
    return lambda context: lambda address, rows: write()


def description(context: Context) -> Render:
    """The OpenAPI document."""
    return lambda address, rows: openapi(context.at)


def page(
    name: str,
    language: str,
    template: str,
    compose: Callable[[Any, str], PageContent],
    rows: Question,
    former: Question | None = None,
) -> Iterator[Family]:
    """A page in one language, and its mirror."""
    here = template if language == ENGLISH else addresses.vietnamese(template)

    def family(
        kind: str,
        address: str,
        media_type: str,
        write: Writer,
        table: Table,
        mirror: Family | None = None,
    ) -> Family:
        def renderer(context: Context) -> Render:
            return lambda address, row: write(context.site, compose(row, language))

        return Family(
            f"{name}-{language}{kind}",
            address,
            media_type,
            renderer,
            partial(table, language),
            rows=rows,
            each=True,
            former=former,
            mirror=mirror,
            language=language,
            listing=lambda row: compose(row, language).listed,
        )

    mirror = family(
        "-mirror", addresses.mirror(here), headers.MARKDOWN, pages.mirror, headers.mirror_headers
    )
    yield family("", here, headers.HTML, pages.html, headers.page_headers, mirror)
    yield mirror


def standing_pages() -> Iterator[Family]:
    for slug, address in addresses.STANDING_PAGES.items():
        for language in LANGUAGES:
            rows = partial(questions.page, slug=slug, language=language)
            yield from page(slug, language, address, content.standing, rows)


def icons() -> Family:
    def renderer(context: Context) -> Render:
        return lambda address, app: str(app.icon_svg).encode()

    return Family(
        "icon",
        "/icons/{slug}.svg",
        headers.SVG,
        renderer,
        headers.drawing_headers,
        rows=questions.apps_with_icon,
        each=True,
        former=questions.former_slugs_of_apps_with_icon,
    )


def asset(name: str, media_type: str) -> Family:
    path = ASSETS / name
    return Family(name, f"/assets/{name}", media_type, fixed(path.read_bytes), headers.file_headers)
