"""Kinds of families other than pages: endpoints of the API, icons and assets."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from api.contract import JSON
from api.endpoints import ENDPOINTS, Endpoint
from api.envelope import envelope
from api.headers import DOCUMENT_CACHING, Headers, document_headers
from catalogue import addresses, questions
from site_mirror.documents import headers
from site_mirror.documents.assets import ASSETS, Asset
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.family import Build, DocumentContent, Family, Render, RenderBuilt
from site_mirror.documents.openapi import openapi_document
from site_mirror.documents.sources import AllRows, EachRow, SingleRow, Source


def endpoint_families(**options: Mapping[str, Any]) -> Iterator[Family]:
    """Yield the family of each endpoint; `options` are fields of families by operation."""
    for endpoint in ENDPOINTS:
        yield api_family(
            endpoint.operation,
            endpoint.address,
            partial(write_endpoint, endpoint),
            endpoint.caching,
            **{"source": source_of(endpoint), "former": endpoint.former}
            | dict(options.get(endpoint.operation, {})),
        )


def api_family(
    name: str,
    address: str,
    renderer: Callable[[Context], Render],
    caching: Headers = DOCUMENT_CACHING,
    **options: Any,
) -> Family:
    always = document_headers(caching)

    def api_headers(context: Context, address: str) -> Headers:
        return {**always, **context.lifecycle}

    return Family(name, address, JSON, renderer, api_headers, **options)


def write_endpoint(endpoint: Endpoint, context: Context) -> Render:
    return endpoint.writer(context.site)


def source_of(endpoint: Endpoint) -> Source:
    if not endpoint.is_item:
        return AllRows(endpoint.rows)
    return (EachRow if "{" in endpoint.path else SingleRow)(endpoint.rows)


def list_of_built(address: str, items: str) -> RenderBuilt:
    """Return the renderer of a list that a freeze joins from the documents of a family."""

    def render(context: Context, subject: Any, built: Built) -> DocumentContent:
        return envelope(context.site, address, built.items_of(items))

    return render


def fixed_renderer(write: Callable[[], DocumentContent]) -> Callable[[Context], Render]:
    """Return the renderer of a document that depends on no row."""
    return lambda context: lambda address, rows: write()


def openapi_family() -> Family:
    def renderer(context: Context) -> Render:
        return lambda address, rows: openapi_document(context)

    return api_family("openapi", addresses.OPENAPI, renderer, build=Build.DERIVED)


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
