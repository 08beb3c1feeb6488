"""Describe the differences between two JSON values, member by member."""

from collections.abc import Iterator, Mapping
from typing import Any

from site_mirror.snapshot.wording import describe_change, quote_value

IDENTITY_MEMBERS = ("slug", "id", "handle", "version", "symbol", "href", "name", "url", "loc")
"""Members that may identify the items of a list; the first that fits is used."""
IGNORED_MEMBER = "generatedAt"
"""The moment of the snapshot, which is not a difference."""


def changed_members(was: Any, now: Any, path: str = "") -> Iterator[str]:
    """Yield a phrase for each member that differs."""
    if isinstance(was, dict) and isinstance(now, dict):
        yield from changed_mapping(was, now, path)
    elif isinstance(was, list) and isinstance(now, list):
        yield from changed_list(was, now, path)
    elif was != now or type(was) is not type(now):
        yield f"{path or 'the value'} {describe_change(was, now)}"


def changed_mapping(was: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    for name in [*was, *(name for name in now if name not in was)]:
        member = f"{path}.{name}" if path else name
        if name != IGNORED_MEMBER:
            yield from changed_item(was, now, name, member)
    if [name for name in was if name in now] != [name for name in now if name in was]:
        yield f"{path or 'the members'}: the order changed"


def changed_list(was: list[Any], now: list[Any], path: str) -> Iterator[str]:
    identity = common_identity(was, now)
    if identity:
        yield from changed_by_name(index_by(identity, was), index_by(identity, now), path)
    elif len(was) == len(now) and all(isinstance(item, dict | list) for item in (*was, *now)):
        for index, pair in enumerate(zip(was, now, strict=True)):
            yield from changed_members(*pair, f"{path}[{index}]")
    elif was != now:
        yield f"{path or 'the list'} {describe_change(was, now)}"


def changed_by_name(was: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    for name in [*was, *(name for name in now if name not in was)]:
        yield from changed_item(was, now, name, f"{path}[{name}]")
    if [name for name in was if name in now] != [name for name in now if name in was]:
        yield f"{path or 'the list'}: the order changed"


def changed_item(
    was: Mapping[str, Any], now: Mapping[str, Any], name: str, path: str
) -> Iterator[str]:
    if name not in was:
        yield f"{path} is new: {quote_value(now[name])}"
    elif name not in now:
        yield f"{path} is gone, was {quote_value(was[name])}"
    else:
        yield from changed_members(was[name], now[name], path)


def common_identity(was: list[Any], now: list[Any]) -> str | None:
    """Return the member that identifies the items of both lists; `None` if there is none."""
    items = [*was, *now]
    if not all(isinstance(item, dict) for item in items):
        return None
    return next(
        (
            name
            for name in IDENTITY_MEMBERS
            if identifies_items(name, was) and identifies_items(name, now)
        ),
        None,
    )


def identifies_items(identity: str, items: list[Any]) -> bool:
    """Whether every item has a text of its own as this member."""
    names = [item.get(identity) for item in items]
    return all(isinstance(name, str) for name in names) and len({*names}) == len(names)


def index_by(identity: str, items: list[Any]) -> dict[str, Any]:
    return {item[identity]: item for item in items}
