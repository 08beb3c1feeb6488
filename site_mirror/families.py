"""Kinds of families: what an endpoint or a file is."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from api import resources
from api.contract import JSON
from api.headers import DOCUMENT_CACHING, Headers, document_headers
from api.resources import Resource
from catalogue import addresses, questions
from site_mirror import headers
from site_mirror.assets import ASSETS, Asset
from site_mirror.context import Context
from site_mirror.described import described
from site_mirror.documents import Content, Family, Render
from site_mirror.sources import Question, Rows, Sole, Whole


def endpoint(
    operation: str,
    name: str,
    address: str,
    renderer: Callable[[Context], Render],
    *,
    caching: Headers = DOCUMENT_CACHING,
    **options: Any,
) -> Family:
    """A document of the API; `name` is what the index calls it."""
    always = document_headers(caching)

    def api_headers(context: Context, address: str) -> Headers:
        return {**always, **context.lifecycle}

    return Family(operation, address, JSON, renderer, api_headers, endpoint=name, **options)


def collection(
    operation: str, name: str, path: str, resource: Resource, *, lists: str = ""
) -> Family:
    """A list; in a snapshot it can be made of the documents of the family that it `lists`."""

    def renderer(context: Context) -> Render:
        return partial(resource.collection, context.site)

    source = Whole(resource.rows)
    return endpoint(operation, name, addresses.api(path), renderer, source=source, lists=lists)


def item(
    operation: str,
    name: str,
    path: str,
    resource: Resource,
    former: Question | None = None,
    **options: Any,
) -> Family:
    def renderer(context: Context) -> Render:
        return resource.items(context.site)

    return endpoint(
        operation,
        name,
        addresses.api(path),
        renderer,
        former=former,
        **{"source": (Rows if "{" in path else Sole)(resource.rows), **options},
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
    return lambda address, rows: described(context)


def icons() -> Family:
    def renderer(context: Context) -> Render:
        return lambda address, app: str(app.icon_svg).encode()

    return Family(
        "icon",
        "/icons/{slug}.svg",
        headers.SVG,
        renderer,
        headers.drawing_headers,
        source=Rows(questions.apps_with_icon),
        former=questions.former_slugs_of_apps_with_icon,
    )


def asset(each: Asset) -> Family:
    return Family(
        each.name,
        each.address,
        headers.MEDIA_TYPES[each.suffix],
        fixed(lambda: each.body),
        headers.asset_headers,
    )


def assets() -> Iterator[Family]:
    return map(asset, ASSETS.values())
