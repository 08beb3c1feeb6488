"""Examples for the OpenAPI document: real bodies, of a row of each resource, a short one."""

from datetime import datetime
from typing import Any

import orjson

from api import resources
from api.contract import BASE_PATH
from api.envelope import Body, encode
from api.resources import Resource
from catalogue import addresses
from catalogue.addresses import Site

LONG = frozenset({resources.APPS, resources.SCIENCE})
"""Resources whose rows are long: the example is the shortest, and elsewhere the first."""

COLLECTIONS = {
    "listTeam": ("/team", resources.TEAM),
    "listApps": ("/apps", resources.APPS),
    "listPosts": ("/posts", resources.POSTS),
    "listStats": ("/stats", resources.STATS),
    "listScienceTopics": ("/science", resources.SCIENCE),
    "listPrinciples": ("/principles", resources.PRINCIPLES),
    "listTimeline": ("/timeline", resources.TIMELINE),
    "listVersions": ("/versions", resources.VERSIONS),
}
ITEMS = {
    "getApp": (addresses.app_document, resources.APPS),
    "getPost": (addresses.post_document, resources.POSTS),
}


def bodies(site: Site, at: datetime) -> dict[str, Body]:
    """An example body by operation; none where there is no row to show."""
    found: dict[str, Body | None] = {
        operation: of_collection(site, at, path, resource)
        for operation, (path, resource) in COLLECTIONS.items()
    }
    for operation, (address, resource) in ITEMS.items():
        if row := typical(site, at, resource):
            found[operation] = resource.items(site)(address(row.slug), row)
    if studio := resources.STUDIO.rows(at).first():
        found["getStudio"] = resources.STUDIO.items(site)(addresses.api("/studio"), studio)
    version = resources.this_version(resources.VERSIONS.rows(at))
    found["getApiIndex"] = resources.index(site, version, {"apps": addresses.api("/apps")})
    found["getHealth"] = resources.health()
    return {operation: decoded(encode(body)) for operation, body in found.items() if body}


def shortened(at: datetime) -> frozenset[str]:
    """Operations whose example leaves items out."""
    longer = {
        operation
        for operation, (_, resource) in COLLECTIONS.items()
        if resource.rows(at)[1:2].exists()
    }
    return frozenset(longer | {"getApiIndex"})


def of_collection(site: Site, at: datetime, path: str, resource: Resource) -> Body | None:
    """A collection shortened to one item; `count` is that of the whole collection."""
    row = typical(site, at, resource)
    if row is None:
        return None
    body = resource.collection(site, BASE_PATH + path, [row])
    return body | {"meta": body["meta"] | {"count": resource.rows(at).count()}}


def typical(site: Site, at: datetime, resource: Resource) -> Any:
    """The row of an example; none where there is no row."""
    rows = resource.rows(at)
    if resource not in LONG:
        return rows.first()
    item = resource.items(site)
    return min(rows, key=lambda row: len(encode(item("", row))), default=None)


def decoded(encoded: bytes) -> Any:
    return orjson.loads(encoded)
