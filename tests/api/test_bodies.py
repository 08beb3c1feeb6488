"""The members of all resources: their names and their order."""

from typing import Any

import pytest

from tests.api.conftest import Get
from tests.api.contract_shapes import SHAPES, STUDIO, Shape
from tests.api.endpoints import BASE, ENDPOINTS, Endpoint


def conforms(found: Any, shape: Shape) -> bool:
    """Whether a body has the required members of a shape, and no unknown ones, in order."""
    if isinstance(shape, list):
        return all(conforms(item, shape[0]) for item in found)
    if not isinstance(shape, dict):
        return True
    named = {name.rstrip("?"): part for name, part in shape.items()}
    required_names = {name for name in shape if not name.endswith("?")}
    listed = [name for name in named if name in found]
    return (
        list(found) == listed
        and required_names <= set(listed)
        and all(conforms(found[name], named[name]) for name in listed)
    )


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
@pytest.mark.usefixtures("content")
def test_a_body_has_the_contracts_members_in_the_contracts_order(
    get: Get, endpoint: Endpoint
) -> None:
    assert conforms(get(endpoint.example).json(), SHAPES[endpoint.operation])


ROWS = [
    ("/apps/full-app", "/apps/bare-app", SHAPES["getApp"]),
    ("/posts/full-post", "/posts/bare-post", SHAPES["getPost"]),
]
LISTS = ["listTeam", "listStats", "listScienceTopics", "listPrinciples", "listTimeline"]


def names_of(shape: Any) -> tuple[list[str], list[str]]:
    """Return the names of all members of a shape, and of those that are always there."""
    every = [name.rstrip("?") for name in shape]
    return every, [name for name in shape if not name.endswith("?")]


@pytest.mark.usefixtures("content")
def test_optional_members_without_a_value_are_left_out(get: Get) -> None:
    for full, bare, shape in ROWS:
        found = [list(get(BASE + path).json()["data"]) for path in (full, bare)]
        assert found == [*names_of(dict(shape)["data"])]  # type: ignore[arg-type]
    for endpoint in ENDPOINTS:
        if endpoint.operation in {*LISTS, "listVersions"}:
            items = get(endpoint.example).json()["data"]
            [shape] = dict(SHAPES[endpoint.operation])["data"]  # type: ignore[arg-type]
            longest, shortest = max(items, key=len), min(items, key=len)
            assert [list(longest), list(shortest)] == [*names_of(shape)]
    assert list(get(f"{BASE}/studio").json()["data"]) == names_of(STUDIO)[0]
