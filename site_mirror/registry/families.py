"""Kinds of families other than pages: endpoints of the API, icons and assets."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from api import resources
from api.contract import JSON
from api.envelope import envelope
from api.headers import DOCUMENT_CACHING, Headers, document_headers
from api.resources import Resource
from catalogue import addresses, questions
from site_mirror.documents import headers
from site_mirror.documents.assets import ASSETS, Asset
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.family import Build, DocumentContent, Family, Render
from site_mirror.documents.openapi import openapi_document
from site_mirror.documents.sources import AllRows, EachRow, Question, SingleRow


def endpoint_family(
    operation: str,
    name: str,
    address: str,
    renderer: Callable[[Context], Render],
    *,
    caching: Headers = DOCUMENT_CACHING,
    **options: Any,
) -> Family:
    """Return the family of an endpoint; `name` is its name in the index of the API."""
    always = document_headers(caching)

    def api_headers(context: Context, address: str) -> Headers:
        return {**always, **context.lifecycle}

    return Family(operation, address, JSON, renderer, api_headers, endpoint=name, **options)


def collection_family(
    operation: str, name: str, path: str, resource: Resource, *, items: str = ""
) -> Family:
    """Return the family of a list; `items` names the family whose documents a freeze joins."""

    def renderer(context: Context) -> Render:
        return partial(resource.collection, context.site)

    address, source = addresses.api_address(path), AllRows(resource.rows)
    if not items:
        return endpoint_family(operation, name, address, renderer, source=source)

    def of_built(context: Context, subject: Any, built: Built) -> DocumentContent:
        return envelope(context.site, address, built.items_of(items))

    return endpoint_family(
        operation,
        name,
        address,
        renderer,
        source=source,
        build=Build.LISTS,
        render_built=of_built,
    )


def item_family(
    operation: str,
    name: str,
    path: str,
    resource: Resource,
    former: Question | None = None,
    **options: Any,
) -> Family:
    def renderer(context: Context) -> Render:
        return resource.items(context.site)

    return endpoint_family(
        operation,
        name,
        addresses.api_address(path),
        renderer,
        former=former,
        **{"source": (EachRow if "{" in path else SingleRow)(resource.rows), **options},
    )


def index_renderer(endpoints: Callable[[], dict[str, str]]) -> Callable[[Context], Render]:
    """Return the renderer of the API index; `endpoints` is called when the index is rendered."""

    def render(context: Context, address: str, versions: Any) -> DocumentContent:
        version = resources.served_version(versions)
        return resources.index_body(context.site, version, endpoints())

    return lambda context: partial(render, context)


def fixed_renderer(write: Callable[[], DocumentContent]) -> Callable[[Context], Render]:
    """Return the renderer of a document that depends on no row."""
    return lambda context: lambda address, rows: write()


def openapi_renderer(context: Context) -> Render:
    """Return the renderer of the OpenAPI document."""
    return lambda address, rows: openapi_document(context)


def icon_family() -> Family:
    def renderer(context: Context) -> Render:
        return lambda address, app: str(app.icon_svg).encode()

    return Family(
        "icon",
        "/icons/{slug}.svg",
        headers.SVG_TYPE,
        renderer,
        headers.drawing_headers,
        source=EachRow(questions.apps_with_icon),
        former=questions.former_slugs_of_apps_with_icon,
    )


def asset_family(each: Asset) -> Family:
    return Family(
        each.name,
        each.address,
        headers.MEDIA_TYPES[each.suffix],
        fixed_renderer(lambda: each.body),
        headers.asset_headers,
    )


def asset_families() -> Iterator[Family]:
    return map(asset_family, ASSETS.values())
