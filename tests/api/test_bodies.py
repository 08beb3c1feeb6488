"""The members of all resources: their names and their order, as the committed contract has them."""

from typing import Any

import pytest

from api.schema import operations_in, read_contract
from catalogue.addresses import Site
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ENDPOINTS, ROOT, Endpoint

Schema = dict[str, Any]
CONTRACT = read_contract(Site(ROOT))
SCHEMAS: dict[str, Schema] = CONTRACT["components"]["schemas"]
BODIES: dict[str, Schema] = {
    operation["operationId"]: operation["responses"]["200"]["content"]["application/json"]["schema"]
    for operation in operations_in(CONTRACT)
}
"""The schema of the body of each operation."""


def conforms(found: Any, schema: Schema) -> bool:
    """Whether a body has the required members of a schema, and no unknown ones, in order."""
    if "$ref" in schema:
        return conforms(found, SCHEMAS[schema["$ref"].rpartition("/")[2]])
    if isinstance(found, list):
        return all(conforms(item, schema["items"]) for item in found)
    if "properties" not in schema:
        return True
    named = schema["properties"]
    listed = [name for name in named if name in found]
    return (
        list(found) == listed
        and {*schema["required"]} <= {*listed}
        and all(conforms(found[name], named[name]) for name in listed)
    )


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
@pytest.mark.usefixtures("content")
def test_a_body_has_the_contracts_members_in_the_contracts_order(
    get: Get, endpoint: Endpoint
) -> None:
    assert conforms(get(endpoint.example).json(), BODIES[endpoint.operation])


ROWS = [
    ("/apps/full-app", "/apps/bare-app", "App"),
    ("/posts/full-post", "/posts/bare-post", "Post"),
]
LISTS = {
    "listTeam": "TeamMember",
    "listStats": "Statistic",
    "listScienceTopics": "ScienceTopic",
    "listPrinciples": "Principle",
    "listTimeline": "TimelineEntry",
    "listVersions": "Version",
}


def names_of(schema: Schema) -> tuple[list[str], list[str]]:
    """Return the names of all members of a schema, and of those that are always there."""
    every = [*schema["properties"]]
    return every, [name for name in every if name in schema["required"]]


@pytest.mark.usefixtures("content")
def test_optional_members_without_a_value_are_left_out(get: Get) -> None:
    for full, bare, name in ROWS:
        found = [list(get(BASE + path).json()["data"]) for path in (full, bare)]
        assert found == [*names_of(SCHEMAS[name])]
    for endpoint in ENDPOINTS:
        if name := LISTS.get(endpoint.operation, ""):
            items = get(endpoint.example).json()["data"]
            longest, shortest = max(items, key=len), min(items, key=len)
            assert [list(longest), list(shortest)] == [*names_of(SCHEMAS[name])]
    assert list(get(f"{BASE}/studio").json()["data"]) == names_of(SCHEMAS["Studio"])[0]
