"""Bodies that break the contract in one place each, made from a body that keeps it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.api.shapes import WRONG, Shape

Path = tuple[str | int, ...]


def mutants(body: Any, shape: Shape) -> Iterator[tuple[str, Any]]:
    """Every way in which one member can be wrong, with what was done where."""
    for path, what, value in wrongs(body, shape, ()):
        mutant = replaced(body, path, value)
        yield f"{what} at /{'/'.join(map(str, path))}", mutant


def wrongs(body: Any, shape: Shape, path: Path) -> Iterator[tuple[Path, str, Any]]:
    """Where, what, and the value that takes the place of what is there."""
    if isinstance(shape, dict):
        yield from wrong_objects(body, shape, path)
    elif isinstance(shape, list):
        yield from wrong_arrays(body, shape, path)
    elif isinstance(shape, tuple):
        for value in ("nonsense", shape[0].swapcase(), "", None, 1, [shape[0]]):
            yield path, f"{value!r} outside the enumeration", value
    else:
        for value in WRONG[shape]:
            yield path, f"{value!r} for a {shape}", value


def wrong_objects(body: Any, shape: dict[str, Any], path: Path) -> Iterator[tuple[Path, str, Any]]:
    yield path, "an unknown member", body | {"surprise": 1}
    for value in (None, [], "text", 1):
        yield path, f"{value!r} for an object", value
    for name, part in shape.items():
        member = name.rstrip("?")
        if name == member:
            yield path, f"no {member}", {key: body[key] for key in body if key != member}
        if member in body:
            yield from wrongs(body[member], part, (*path, member))


def wrong_arrays(body: Any, shape: list[Any], path: Path) -> Iterator[tuple[Path, str, Any]]:
    for value in (None, {}, "text", 1):
        yield path, f"{value!r} for an array", value
    for number, item in enumerate(body):
        yield from wrongs(item, shape[0], (*path, number))


def replaced(body: Any, path: Path, value: Any) -> Any:
    """A copy of a body with another value in one place."""
    if not path:
        return value
    copy = deepcopy(body)
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copy
