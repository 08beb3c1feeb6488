"""What differs between two JSON values, member by member, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from site_mirror.snapshot.quoting import quoted, was_and_is

IDENTITIES = ("slug", "id", "handle", "version", "symbol", "href", "name", "url", "loc")
"""Members by which the items of a list are told apart, the first that fits."""
MOMENT = "generatedAt"


def changed_members(was: Any, now: Any, path: str = "") -> Iterator[str]:
    """A phrase for each member that differs; the moment of the snapshot is none."""
    if isinstance(was, dict) and isinstance(now, dict):
        yield from changed_mapping(was, now, path)
    elif isinstance(was, list) and isinstance(now, list):
        yield from changed_list(was, now, path)
    elif was != now or type(was) is not type(now):
        yield f"{path or 'the value'} {was_and_is(was, now)}"


def changed_mapping(was: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    for name in [*was, *(name for name in now if name not in was)]:
        here = f"{path}.{name}" if path else name
        if name != MOMENT:
            yield from changed_item(was, now, name, here)
    if [name for name in was if name in now] != [name for name in now if name in was]:
        yield f"{path or 'the members'}: the order changed"


def changed_list(was: list[Any], now: list[Any], path: str) -> Iterator[str]:
    identity = common_identity(was, now)
    if identity:
        yield from changed_by_name(by(identity, was), by(identity, now), path)
    elif len(was) == len(now) and all(isinstance(item, dict | list) for item in (*was, *now)):
        for place, pair in enumerate(zip(was, now, strict=True)):
            yield from changed_members(*pair, f"{path}[{place}]")
    elif was != now:
        yield f"{path or 'the list'} {was_and_is(was, now)}"


def changed_by_name(was: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    for name in [*was, *(name for name in now if name not in was)]:
        yield from changed_item(was, now, name, f"{path}[{name}]")
    if [name for name in was if name in now] != [name for name in now if name in was]:
        yield f"{path or 'the list'}: the order changed"


def changed_item(
    was: Mapping[str, Any], now: Mapping[str, Any], name: str, path: str
) -> Iterator[str]:
    if name not in was:
        yield f"{path} is new: {quoted(now[name])}"
    elif name not in now:
        yield f"{path} is gone, was {quoted(was[name])}"
    else:
        yield from changed_members(was[name], now[name], path)


def common_identity(was: list[Any], now: list[Any]) -> str | None:
    """The member that names every item of two lists, each item once."""
    items = [*was, *now]
    if not all(isinstance(item, dict) for item in items):
        return None
    return next((name for name in IDENTITIES if names(name, was) and names(name, now)), None)


def names(identity: str, items: list[Any]) -> bool:
    found = [item.get(identity) for item in items]
    return all(isinstance(name, str) for name in found) and len({*found}) == len(found)


def by(identity: str, items: list[Any]) -> dict[str, Any]:
    return {item[identity]: item for item in items}
