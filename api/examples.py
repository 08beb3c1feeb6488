"""Examples for the OpenAPI document: the real body of one row of each resource."""

from datetime import datetime
from typing import Any

import orjson

from api import resources
from api.contract import BASE_PATH
from api.envelope import Body, encode_body
from api.resources import Resource
from catalogue import addresses
from catalogue.addresses import Site

RESOURCES_WITH_LONG_ROWS = frozenset({resources.APPS, resources.SCIENCE_TOPICS})
"""Resources whose example is the shortest row, because rows are long, and not the first."""

LIST_OPERATIONS = {
    "listTeam": ("/team", resources.TEAM),
    "listApps": ("/apps", resources.APPS),
    "listPosts": ("/posts", resources.POST_SUMMARIES),
    "listStats": ("/stats", resources.STATS),
    "listScienceTopics": ("/science", resources.SCIENCE_TOPICS),
    "listPrinciples": ("/principles", resources.PRINCIPLES),
    "listTimeline": ("/timeline", resources.TIMELINE),
    "listVersions": ("/versions", resources.VERSIONS),
}
ITEM_OPERATIONS = {
    "getApp": (addresses.app_document, resources.APPS),
    "getPost": (addresses.post_document, resources.POST_SUMMARIES),
}


def example_bodies(site: Site, at: datetime) -> dict[str, Body]:
    """Return an example body by operation; an operation without a row has none."""
    bodies: dict[str, Body | None] = {
        operation: example_collection(site, at, path, resource)
        for operation, (path, resource) in LIST_OPERATIONS.items()
    }
    for operation, (address, resource) in ITEM_OPERATIONS.items():
        if row := example_row(site, at, resource):
            bodies[operation] = resource.items(site)(address(row.slug), row)
    if studio := resources.STUDIO.rows(at).first():
        bodies["getStudio"] = resources.STUDIO.items(site)(addresses.api_address("/studio"), studio)
    version = resources.served_version(resources.VERSIONS.rows(at))
    bodies["getApiIndex"] = resources.index_body(
        site, version, {"apps": addresses.api_address("/apps")}
    )
    bodies["getHealth"] = resources.health_body()
    return {operation: decode_body(encode_body(body)) for operation, body in bodies.items() if body}


def shortened_operations(at: datetime) -> frozenset[str]:
    """Return the operations whose example leaves out items."""
    longer = {
        operation
        for operation, (_, resource) in LIST_OPERATIONS.items()
        if resource.rows(at)[1:2].exists()
    }
    return frozenset(longer | {"getApiIndex"})


def example_collection(site: Site, at: datetime, path: str, resource: Resource) -> Body | None:
    """Return a collection with one item; `count` is that of the whole collection."""
    row = example_row(site, at, resource)
    if row is None:
        return None
    body = resource.collection(site, BASE_PATH + path, [row])
    return body | {"meta": body["meta"] | {"count": resource.rows(at).count()}}


def example_row(site: Site, at: datetime, resource: Resource) -> Any:
    """Return the row of an example; `None` if there is no row."""
    rows = resource.rows(at)
    if resource not in RESOURCES_WITH_LONG_ROWS:
        return rows.first()
    item = resource.items(site)
    return min(rows, key=lambda row: len(encode_body(item("", row))), default=None)


def decode_body(encoded: bytes) -> Any:
    return orjson.loads(encoded)
