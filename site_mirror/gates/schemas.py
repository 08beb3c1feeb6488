"""How two JSON schemas of an OpenAPI document differ for those who rely on the first."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

import orjson
from msgspec import Struct

Schema = Mapping[str, Any]

CONSTRAINTS = (
    "format",
    "pattern",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
)
CHOICES = ("anyOf", "oneOf", "not")


class Need(IntEnum):
    """Which part of the version has to move."""

    NOTHING = 0
    MINOR = 1
    MAJOR = 2


class Change(Struct, frozen=True):
    """A difference at a place of the contract, in words."""

    where: str
    what: str
    need: Need

    def __str__(self) -> str:
        return f"{self.where} {self.what}"


class Side(Struct, frozen=True):
    """One of the two documents; `data` are sets of values that are content, such as app ids."""

    components: Schema
    data: frozenset[frozenset[str]] = frozenset()

    def shape(self, schema: Schema) -> dict[str, Any]:
        """A schema without references, its `allOf` joined."""
        found = dict(schema)
        if "$ref" in found:
            kind, _, name = found.pop("$ref").removeprefix("#/components/").partition("/")
            found = self.shape(self.components[kind][name]) | found
        for part in found.pop("allOf", ()):
            found = joined(found, self.shape(part))
        if frozenset(map(str, found.get("enum", ()))) in self.data:
            del found["enum"]
        return found


def joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    properties = one.get("properties", {}) | other.get("properties", {})
    required = [*one.get("required", ()), *other.get("required", ())]
    both = other | one
    return both | ({"properties": properties, "required": required} if properties else {})


class Comparison(Struct, frozen=True):
    """Compares schemas; what is sent may get narrower, what is accepted may get wider."""

    was: Side
    now: Side
    accepted: bool = False

    @property
    def wider(self) -> Need:
        return Need.MINOR if self.accepted else Need.MAJOR

    @property
    def narrower(self) -> Need:
        return Need.MAJOR if self.accepted else Need.MINOR

    def changes(
        self, was: Schema, now: Schema, where: str, above: tuple[str, ...] = ()
    ) -> Iterator[Change]:
        """Differences of two schemas and of all inside; `above` keeps a circle from going on."""
        name = str(was.get("$ref", ""))
        if name and name in above:
            return
        above = (*above, name)
        old, new = self.was.shape(was), self.now.shape(now)
        yield from self.types(old, new, where)
        yield from self.values(old, new, where)
        yield from self.constraints(old, new, where)
        yield from self.members(old, new, where, above)
        if "items" in old and "items" in new:
            yield from self.changes(old["items"], new["items"], f"{where}[]", above)

    def types(self, was: Schema, now: Schema, where: str) -> Iterator[Change]:
        old, new = types_of(was), types_of(now)
        if old != new:
            said = f"was {words(old)} and is {words(new)}"
            got_wider = not new or (bool(old) and not new <= old)
            yield Change(where, said, self.wider if got_wider else self.narrower)

    def values(self, was: Schema, now: Schema, where: str) -> Iterator[Change]:
        old, new = was.get("enum"), now.get("enum")
        if old is not None and new is None:
            yield Change(where, "is no longer one of a closed set", self.wider)
        elif old is None and new is not None:
            yield Change(where, f"is now one of {words(new)}", self.narrower)
        else:
            old, new = set(map(str, old or ())), set(map(str, new or ()))
            if new - old:
                yield Change(where, f"may now be {words(new - old)}", self.wider)
            if old - new:
                yield Change(where, f"may no longer be {words(old - new)}", self.narrower)

    def constraints(self, was: Schema, now: Schema, where: str) -> Iterator[Change]:
        for name in CONSTRAINTS:
            old, new = was.get(name), now.get(name)
            if old != new:
                need = self.narrower if old is None else self.wider if new is None else Need.MAJOR
                yield Change(where, f"had the {name} {old} and has {new}", need)
        for name in CHOICES:
            if plain(was.get(name), self.was) != plain(now.get(name), self.now):
                yield Change(where, f"has another {name}", Need.MAJOR)

    def members(
        self, was: Schema, now: Schema, where: str, above: tuple[str, ...]
    ) -> Iterator[Change]:
        old, new = was.get("properties", {}), now.get("properties", {})
        for name in old:
            place = f"{where}.{name}"
            if name in new:
                yield from self.changes(old[name], new[name], place, above)
            else:
                yield Change(place, "is gone", Need.MAJOR)
        for name in new.keys() - old.keys():
            yield Change(f"{where}.{name}", "is new", Need.MINOR)
        needed, needs = set(was.get("required", ())), set(now.get("required", ()))
        for name in sorted((needed - needs) & new.keys()):
            yield Change(f"{where}.{name}", "was required and is optional", self.wider)
        for name in sorted((needs - needed) & old.keys()):
            yield Change(f"{where}.{name}", "was optional and is required", self.narrower)
        if was.get("additionalProperties") is False and now.get("additionalProperties", True):
            yield Change(where, "may now have members of any name", self.wider)


def types_of(schema: Schema) -> frozenset[str]:
    found = schema.get("type", ())
    return frozenset([found] if isinstance(found, str) else found)


def words(values: Any) -> str:
    return " or ".join(sorted(map(str, values))) or "anything"


def plain(value: Any, side: Side) -> bytes:
    """Choices with their references followed one step, fit to be compared."""
    parts = value if isinstance(value, list) else [value] if value else []
    return orjson.dumps([side.shape(part) for part in parts], option=orjson.OPT_SORT_KEYS)
