"""Bodies with one violation of the contract each, made from a valid body."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.api.contract_shapes import INVALID_VALUES, Shape

MemberPath = tuple[str | int, ...]


def make_mutants(body: Any, shape: Shape) -> Iterator[tuple[str, Any]]:
    """Yield a description and a body for each way to make one member invalid."""
    for path, change, value in mutate_value(body, shape, ()):
        mutant = replace_value(body, path, value)
        yield f"{change} at /{'/'.join(map(str, path))}", mutant


def mutate_value(
    body: Any, shape: Shape, path: MemberPath
) -> Iterator[tuple[MemberPath, str, Any]]:
    """Yield the path of a member, the change, and the invalid value."""
    if isinstance(shape, dict):
        yield from mutate_object(body, shape, path)
    elif isinstance(shape, list):
        yield from mutate_array(body, shape, path)
    elif isinstance(shape, tuple):
        for value in ("nonsense", shape[0].swapcase(), "", None, 1, [shape[0]]):
            yield path, f"{value!r} outside the enumeration", value
    else:
        for value in INVALID_VALUES[shape]:
            yield path, f"{value!r} for a {shape}", value


def mutate_object(
    body: Any, shape: dict[str, Any], path: MemberPath
) -> Iterator[tuple[MemberPath, str, Any]]:
    yield path, "an unknown member", body | {"surprise": 1}
    for value in (None, [], "text", 1):
        yield path, f"{value!r} for an object", value
    for name, part in shape.items():
        member = name.rstrip("?")
        if name == member:
            yield path, f"no {member}", {key: body[key] for key in body if key != member}
        if member in body:
            yield from mutate_value(body[member], part, (*path, member))


def mutate_array(
    body: Any, shape: list[Any], path: MemberPath
) -> Iterator[tuple[MemberPath, str, Any]]:
    for value in (None, {}, "text", 1):
        yield path, f"{value!r} for an array", value
    for number, item in enumerate(body):
        yield from mutate_value(item, shape[0], (*path, number))


def replace_value(body: Any, path: MemberPath, value: Any) -> Any:
    """Return a copy of a body with another value at a path."""
    if not path:
        return value
    copy = deepcopy(body)
    parent = copy
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return copy
