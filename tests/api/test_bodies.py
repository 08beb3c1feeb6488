"""The members of all resources: their names and their order."""

from typing import Any

import pytest

from tests.api.conftest import Get
from tests.api.contract_shapes import APP, POST, SHAPES, STUDIO, Shape
from tests.api.endpoints import BASE, ENDPOINTS, Endpoint


def nested_names(body: Any) -> Any:
    """Return the names of all members in their order, at any depth."""
    if isinstance(body, dict):
        return {name: nested_names(value) for name, value in body.items()}
    return [nested_names(item) for item in body] if isinstance(body, list) else None


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


def all_members(shape: Shape) -> Any:
    """Return the members of a shape including all optional ones."""
    if isinstance(shape, dict):
        return {name.rstrip("?"): all_members(part) for name, part in shape.items()}
    return [all_members(shape[0])] if isinstance(shape, list) else None


def has_same_order(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        return list(left) == list(right) and all(has_same_order(left[n], right[n]) for n in left)
    if isinstance(left, list):
        return all(has_same_order(a, b) for a, b in zip(left, right, strict=False))
    return True


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
@pytest.mark.usefixtures("content")
def test_a_body_has_the_contracts_members_in_the_contracts_order(
    get: Get, endpoint: Endpoint
) -> None:
    assert conforms(get(endpoint.example).json(), SHAPES[endpoint.operation])


FULL_ROWS = [
    ("/studio", STUDIO),
    ("/apps/full-app", APP),
    ("/posts/full-post", POST),
]


@pytest.mark.parametrize(("path", "shape"), FULL_ROWS)
@pytest.mark.usefixtures("content")
def test_a_full_row_has_every_member_of_the_contract(get: Get, path: str, shape: Shape) -> None:
    data = get(BASE + path).json()["data"]

    assert has_same_order(nested_names(data), all_members(shape))
    assert data.keys() == {name.rstrip("?") for name in dict(shape)}  # type: ignore[arg-type]


LISTS_WITH_ROWS = [
    ("/team", "listTeam", ("full-member", "bare-member"), "handle"),
    ("/apps", "listApps", ("full-app", "bare-app"), "id"),
    ("/posts", "listPosts", ("full-post", "bare-post"), "slug"),
    ("/stats", "listStats", ("instruments", "shipped-apps"), "id"),
    ("/science", "listScienceTopics", ("full-topic", "bare-topic"), "id"),
    ("/principles", "listPrinciples", ("full-principle", "bare-principle"), "id"),
    ("/timeline", "listTimeline", ("full-entry", "bare-entry"), "id"),
    ("/versions", "listVersions", ("v2", "v1"), "version"),
]


@pytest.mark.parametrize(("path", "operation", "names", "key"), LISTS_WITH_ROWS)
@pytest.mark.usefixtures("content")
def test_optional_members_without_a_value_are_left_out(
    get: Get, path: str, operation: str, names: tuple[str, str], key: str
) -> None:
    shape = SHAPES[operation]["data"][0]  # type: ignore[index, call-overload]
    items = {item[key]: item for item in get(BASE + path).json()["data"]}
    full, bare = (items[name] for name in names)

    assert list(full) == [name.rstrip("?") for name in shape]
    assert list(bare) == [name for name in shape if not name.endswith("?")]
