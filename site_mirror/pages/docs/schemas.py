"""The objects of an OpenAPI document as lists of their members in dotted names.

An object that stands in several places is shared: it is listed once, and other lists lead there.
Any other is listed where it stands.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

Schema = Mapping[str, Any]

HERE = "#/components/schemas/"
PRIMITIVES = frozenset({"string", "integer", "number", "boolean", "array", "object"})
LIMITS = (
    "pattern",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
)


class UnknownSchema(ValueError):
    """A part of the document of a kind that has no description here."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(f"{dict(schema)} is neither a reference nor of one JSON type.")


class Value(Struct, frozen=True):
    """What a schema allows: `of` is the value of an array's items or of an object's members.

    `shared` is the name of a shared object; `choices` and `limits` hold for the value itself.
    """

    type: str
    format: str = ""
    null: bool = False
    shared: str = ""
    of: "Value | None" = None
    choices: tuple[str, ...] = ()
    limits: tuple[tuple[str, Any], ...] = ()


class Member(Struct, frozen=True):
    """A member of an object, by its dotted name: `data[].links.self`."""

    name: str
    value: Value
    required: bool
    description: str


class Schemas:
    """The objects that a document names."""

    def __init__(self, document: Schema) -> None:
        self.named: Mapping[str, Schema] = document["components"]["schemas"]
        uses = Counter(references([document["paths"], document["components"]]))
        self.shared = [name for name in self.named if uses[name] > 1]

    def value(self, schema: Schema) -> Value:
        name = reference(schema)
        if name:
            return Value("object", shared=name if name in self.shared else "")
        kinds = schema.get("type", "")
        found = [kinds] if isinstance(kinds, str) else list(kinds)
        types = [kind for kind in found if kind != "null"]
        if len(types) != 1 or types[0] not in PRIMITIVES:
            raise UnknownSchema(schema)
        inner = schema.get("items") or schema.get("additionalProperties")
        return Value(
            type=types[0],
            format=schema.get("format", ""),
            null="null" in found,
            of=self.value(inner) if inner else None,
            choices=tuple(map(str, schema.get("enum", ()))),
            limits=tuple((name, schema[name]) for name in LIMITS if name in schema),
        )

    def members(self, schema: Schema, prefix: str = "") -> Iterator[Member]:
        """The members of an object, and theirs, but for those of shared objects."""
        opened = self.opened(schema)
        for name, part in opened.get("properties", {}).items():
            member = Member(
                name=prefix + name,
                value=self.value(part),
                required=name in opened.get("required", ()),
                description=self.description(part),
            )
            yield member
            if not member.value.shared:
                yield from self.inside(part, member.name)

    def inside(self, schema: Schema, name: str) -> Iterator[Member]:
        """The members inside a value, unless a shared object has them."""
        if items := schema.get("items"):
            if reference(items) not in self.shared:
                yield from self.inside(items, f"{name}[]")
        else:
            yield from self.members(schema, f"{name}.")

    def opened(self, schema: Schema) -> Schema:
        """The object itself where a reference stands for it."""
        name = reference(schema)
        return self.named[name] if name else schema

    def description(self, schema: Schema) -> str:
        """What is said of it where it stands, or else of the object that is listed there."""
        listed = {} if reference(schema) in self.shared else self.opened(schema)
        return str(schema.get("description") or listed.get("description", ""))


def reference(schema: Schema) -> str:
    """The name that a schema refers to, by itself or with a description of its own beside it."""
    for part in (schema, *schema.get("allOf", ())):
        if "$ref" in part:
            return str(part["$ref"]).removeprefix(HERE)
    return ""


def references(part: Any) -> Iterator[str]:
    """The name of an object each time that something refers to it."""
    if isinstance(part, dict):
        if str(part.get("$ref", "")).startswith(HERE):
            yield reference(part)
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from references(each)
