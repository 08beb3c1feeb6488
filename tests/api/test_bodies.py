"""The members of every resource: which, in which order, and what they say."""

from typing import Any

import pytest

from tests.api.conftest import Get
from tests.api.endpoints import BASE, ENDPOINTS, Endpoint
from tests.api.shapes import APP, POST, SHAPES, STUDIO, Shape


def members(body: Any) -> Any:
    """Names of the members, in their order, all the way down."""
    if isinstance(body, dict):
        return {name: members(value) for name, value in body.items()}
    return [members(item) for item in body] if isinstance(body, list) else None


def in_order(found: Any, shape: Shape) -> bool:
    """Whether a body has the required members and, among them, only optional ones, in order."""
    if isinstance(shape, list):
        return all(in_order(item, shape[0]) for item in found)
    if not isinstance(shape, dict):
        return True
    named = {name.rstrip("?"): part for name, part in shape.items()}
    required = {name for name in shape if not name.endswith("?")}
    listed = [name for name in named if name in found]
    return (
        list(found) == listed
        and required <= set(listed)
        and all(in_order(found[name], named[name]) for name in listed)
    )


def filled(shape: Shape) -> Any:
    """The members of a shape when nothing optional is missing."""
    if isinstance(shape, dict):
        return {name.rstrip("?"): filled(part) for name, part in shape.items()}
    return [filled(shape[0])] if isinstance(shape, list) else None


def required(shape: Shape) -> Any:
    """The members of a shape when everything optional is missing."""
    if isinstance(shape, dict):
        return {name: required(part) for name, part in shape.items() if not name.endswith("?")}
    return [required(shape[0])] if isinstance(shape, list) else None


def in_same_order(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        return list(left) == list(right) and all(in_same_order(left[n], right[n]) for n in left)
    if isinstance(left, list):
        return all(in_same_order(a, b) for a, b in zip(left, right, strict=False))
    return True


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
@pytest.mark.usefixtures("content")
def test_a_body_has_the_contracts_members_in_the_contracts_order(
    get: Get, endpoint: Endpoint
) -> None:
    assert in_order(get(endpoint.example).json(), SHAPES[endpoint.operation])


FILLED = [
    ("/studio", STUDIO),
    ("/apps/full-app", APP),
    ("/posts/full-post", POST),
]


@pytest.mark.parametrize(("path", "shape"), FILLED)
@pytest.mark.usefixtures("content")
def test_a_filled_row_gives_every_member_of_the_contract(get: Get, path: str, shape: Shape) -> None:
    data = get(BASE + path).json()["data"]

    assert in_same_order(members(data), filled(shape))
    assert data.keys() == {name.rstrip("?") for name in dict(shape)}  # type: ignore[arg-type]


LISTED = [
    ("/team", "listTeam", ("full-member", "bare-member"), "handle"),
    ("/apps", "listApps", ("full-app", "bare-app"), "id"),
    ("/posts", "listPosts", ("full-post", "bare-post"), "slug"),
    ("/stats", "listStats", ("instruments", "shipped-apps"), "id"),
    ("/science", "listScienceTopics", ("full-topic", "bare-topic"), "id"),
    ("/principles", "listPrinciples", ("full-principle", "bare-principle"), "id"),
    ("/timeline", "listTimeline", ("full-entry", "bare-entry"), "id"),
    ("/versions", "listVersions", ("v2", "v1"), "version"),
]


@pytest.mark.parametrize(("path", "operation", "names", "key"), LISTED)
@pytest.mark.usefixtures("content")
def test_optional_members_are_there_when_filled_and_left_out_when_empty(
    get: Get, path: str, operation: str, names: tuple[str, str], key: str
) -> None:
    shape = SHAPES[operation]["data"][0]  # type: ignore[index, call-overload]
    items = {item[key]: item for item in get(BASE + path).json()["data"]}
    full, bare = (items[name] for name in names)

    assert list(full) == [name.rstrip("?") for name in shape]
    assert list(bare) == [name for name in shape if not name.endswith("?")]
