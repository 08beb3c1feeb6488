"""Compare two JSON schemas of an OpenAPI document, as clients of the first one see them."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

import orjson
from msgspec import Struct

JsonSchema = Mapping[str, Any]

CONSTRAINT_KEYWORDS = (
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
CHOICE_KEYWORDS = ("anyOf", "oneOf", "not")


class VersionBump(IntEnum):
    """The part of the version number that a change must raise."""

    NOTHING = 0
    MINOR = 1
    MAJOR = 2


class ContractChange(Struct, frozen=True):
    """A difference at one place of the contract, in words."""

    where: str
    what: str
    bump: VersionBump

    def __str__(self) -> str:
        return f"{self.where} {self.what}"


class ContractSide(Struct, frozen=True):
    """One of the two documents; `data` has sets of values that are content, such as app ids."""

    components: JsonSchema
    data: frozenset[frozenset[str]] = frozenset()

    def shape(self, schema: JsonSchema) -> dict[str, Any]:
        """Return a schema without references, its `allOf` merged."""
        shape = dict(schema)
        if "$ref" in shape:
            kind, _, name = shape.pop("$ref").removeprefix("#/components/").partition("/")
            shape = self.shape(self.components[kind][name]) | shape
        for part in shape.pop("allOf", ()):
            shape = merge_schemas(shape, self.shape(part))
        if frozenset(map(str, shape.get("enum", ()))) in self.data:
            del shape["enum"]
        return shape


def merge_schemas(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    properties = one.get("properties", {}) | other.get("properties", {})
    required = [*one.get("required", ()), *other.get("required", ())]
    both = other | one
    return both | ({"properties": properties, "required": required} if properties else {})


class SchemaComparison(Struct, frozen=True):
    """Compares schemas: responses may get narrower, and `accepted` parameters may get wider."""

    was: ContractSide
    now: ContractSide
    accepted: bool = False

    @property
    def wider(self) -> VersionBump:
        return VersionBump.MINOR if self.accepted else VersionBump.MAJOR

    @property
    def narrower(self) -> VersionBump:
        return VersionBump.MAJOR if self.accepted else VersionBump.MINOR

    def changes(
        self, was: JsonSchema, now: JsonSchema, where: str, ancestors: tuple[str, ...] = ()
    ) -> Iterator[ContractChange]:
        """Yield the differences of two schemas and of all schemas inside them.

        `ancestors` has the names of the enclosing schemas, so that a recursive schema ends.
        """
        name = str(was.get("$ref", ""))
        if name and name in ancestors:
            return
        ancestors = (*ancestors, name)
        old, new = self.was.shape(was), self.now.shape(now)
        yield from self.types(old, new, where)
        yield from self.values(old, new, where)
        yield from self.constraints(old, new, where)
        yield from self.members(old, new, where, ancestors)
        if "items" in old and "items" in new:
            yield from self.changes(old["items"], new["items"], f"{where}[]", ancestors)

    def types(self, was: JsonSchema, now: JsonSchema, where: str) -> Iterator[ContractChange]:
        old, new = types_of(was), types_of(now)
        if old != new:
            change = f"was {join_alternatives(old)} and is {join_alternatives(new)}"
            got_wider = not new or (bool(old) and not new <= old)
            yield ContractChange(where, change, self.wider if got_wider else self.narrower)

    def values(self, was: JsonSchema, now: JsonSchema, where: str) -> Iterator[ContractChange]:
        old, new = was.get("enum"), now.get("enum")
        if old is not None and new is None:
            yield ContractChange(where, "is no longer one of a closed set", self.wider)
        elif old is None and new is not None:
            yield ContractChange(where, f"is now one of {join_alternatives(new)}", self.narrower)
        else:
            old, new = set(map(str, old or ())), set(map(str, new or ()))
            if new - old:
                yield ContractChange(
                    where, f"may now be {join_alternatives(new - old)}", self.wider
                )
            if old - new:
                yield ContractChange(
                    where, f"may no longer be {join_alternatives(old - new)}", self.narrower
                )

    def constraints(self, was: JsonSchema, now: JsonSchema, where: str) -> Iterator[ContractChange]:
        for name in CONSTRAINT_KEYWORDS:
            old, new = was.get(name), now.get(name)
            if old != new:
                bump = (
                    self.narrower
                    if old is None
                    else self.wider
                    if new is None
                    else VersionBump.MAJOR
                )
                yield ContractChange(where, f"had the {name} {old} and has {new}", bump)
        for name in CHOICE_KEYWORDS:
            if encode_choices(was.get(name), self.was) != encode_choices(now.get(name), self.now):
                yield ContractChange(where, f"has another {name}", VersionBump.MAJOR)

    def members(
        self, was: JsonSchema, now: JsonSchema, where: str, ancestors: tuple[str, ...]
    ) -> Iterator[ContractChange]:
        old, new = was.get("properties", {}), now.get("properties", {})
        for name in old:
            place = f"{where}.{name}"
            if name in new:
                yield from self.changes(old[name], new[name], place, ancestors)
            else:
                yield ContractChange(place, "is gone", VersionBump.MAJOR)
        for name in new.keys() - old.keys():
            yield ContractChange(f"{where}.{name}", "is new", VersionBump.MINOR)
        required_before, required_now = set(was.get("required", ())), set(now.get("required", ()))
        for name in sorted((required_before - required_now) & new.keys()):
            yield ContractChange(f"{where}.{name}", "was required and is optional", self.wider)
        for name in sorted((required_now - required_before) & old.keys()):
            yield ContractChange(f"{where}.{name}", "was optional and is required", self.narrower)
        if was.get("additionalProperties") is False and now.get("additionalProperties", True):
            yield ContractChange(where, "may now have members of any name", self.wider)


def types_of(schema: JsonSchema) -> frozenset[str]:
    types = schema.get("type", ())
    return frozenset([types] if isinstance(types, str) else types)


def join_alternatives(values: Any) -> str:
    return " or ".join(sorted(map(str, values))) or "anything"


def encode_choices(value: Any, side: ContractSide) -> bytes:
    """Return choices as bytes that can be compared, their references followed one step."""
    parts = value if isinstance(value, list) else [value] if value else []
    return orjson.dumps([side.shape(part) for part in parts], option=orjson.OPT_SORT_KEYS)
