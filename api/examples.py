"""Examples for the OpenAPI document: the real body of a short row of each endpoint."""

from datetime import datetime

import orjson

from api.endpoints import ENDPOINTS, Endpoint, serializer_of
from api.envelope import Body, encode_body
from catalogue.addresses import Site

ROWS = 20
"""The first rows of a list, one of which is the example."""


def example_bodies(site: Site, at: datetime) -> dict[str, Body]:
    """Return an example body by operation; an operation without a row has none."""
    bodies = {endpoint.operation: example_body(endpoint, site, at) for endpoint in ENDPOINTS}
    bodies["getApiIndex"] |= {"endpoints": {"apps": bodies["getApiIndex"]["endpoints"]["apps"]}}
    return {
        operation: orjson.loads(encode_body(body)) for operation, body in bodies.items() if body
    }


def example_body(endpoint: Endpoint, site: Site, at: datetime) -> Body:
    """Return a body; that of a list has one item, and `count` is that of the whole list."""
    write = endpoint.writer(site)
    rows = endpoint.rows(at)
    if endpoint.write:
        return write(endpoint.address, rows)
    convert = serializer_of(endpoint.serializer, site).to_representation
    row = min(rows[:ROWS], key=lambda row: shortest_of_fullest(convert(row)), default=None)
    if row is None:
        return {}
    if endpoint.is_list:
        body = write(endpoint.address, [row])
        count = len(rows) if isinstance(rows, list) else rows.count()
        return body | {"meta": body["meta"] | {"count": count}}
    return write(endpoint.address_of(getattr(row, "slug", "")), row)


def shortest_of_fullest(body: Body) -> tuple[int, int]:
    """Return the key by which the row with the most members is first, and of such the shortest."""
    return -len(body), len(orjson.dumps(body))
