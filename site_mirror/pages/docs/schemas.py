"""Read the objects of an OpenAPI document as lists of their members, by dotted names.

An object that is used in several places is shared: it is listed once, and other lists link to it.
Members of other objects are listed in place.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from site_mirror.pages.docs.operations import DocumentPart

SCHEMA_REFERENCE_PREFIX = "#/components/schemas/"
PRIMITIVE_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})
LIMIT_KEYWORDS = (
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
    """A schema of a kind that this module cannot describe."""

    def __init__(self, schema: DocumentPart) -> None:
        super().__init__(f"{dict(schema)} is neither a reference nor of one JSON type.")


class SchemaValue(Struct, frozen=True):
    """The value that a schema describes.

    `of` is the value of an array's items or of an object's members; `shared` is the name of a
    shared object; `choices` and `limits` are those of the value itself.
    """

    type: str
    format: str = ""
    null: bool = False
    shared: str = ""
    of: "SchemaValue | None" = None
    choices: tuple[str, ...] = ()
    limits: tuple[tuple[str, Any], ...] = ()


class SchemaMember(Struct, frozen=True):
    """A member of an object, by its dotted name: `data[].links.self`."""

    name: str
    value: SchemaValue
    required: bool
    description: str


class Schemas:
    """The named objects of a document."""

    def __init__(self, document: DocumentPart) -> None:
        self.named: Mapping[str, DocumentPart] = document["components"]["schemas"]
        uses = Counter(reference_names([document["paths"], document["components"]]))
        self.shared = [name for name in self.named if uses[name] > 1]

    def value(self, schema: DocumentPart) -> SchemaValue:
        name = reference_name(schema)
        if name:
            return SchemaValue("object", shared=name if name in self.shared else "")
        listed = schema.get("type", "")
        all_types = [listed] if isinstance(listed, str) else list(listed)
        types = [each for each in all_types if each != "null"]
        if len(types) != 1 or types[0] not in PRIMITIVE_TYPES:
            raise UnknownSchema(schema)
        inner = schema.get("items") or schema.get("additionalProperties")
        return SchemaValue(
            type=types[0],
            format=schema.get("format", ""),
            null="null" in all_types,
            of=self.value(inner) if inner else None,
            choices=tuple(map(str, schema.get("enum", ()))),
            limits=tuple((name, schema[name]) for name in LIMIT_KEYWORDS if name in schema),
        )

    def members(self, schema: DocumentPart, prefix: str = "") -> Iterator[SchemaMember]:
        """Yield the members of an object and of objects inside, except shared ones."""
        resolved = self.resolve(schema)
        for name, part in resolved.get("properties", {}).items():
            member = SchemaMember(
                name=prefix + name,
                value=self.value(part),
                required=name in resolved.get("required", ()),
                description=self.description(part),
            )
            yield member
            if not member.value.shared:
                yield from self.inside(part, member.name)

    def inside(self, schema: DocumentPart, name: str) -> Iterator[SchemaMember]:
        """Yield the members inside a value, unless it is a shared object."""
        if items := schema.get("items"):
            if reference_name(items) not in self.shared:
                yield from self.inside(items, f"{name}[]")
        else:
            yield from self.members(schema, f"{name}.")

    def resolve(self, schema: DocumentPart) -> DocumentPart:
        """Return the object that a schema refers to, or the schema itself."""
        name = reference_name(schema)
        return self.named[name] if name else schema

    def description(self, schema: DocumentPart) -> str:
        """Return the description of a schema, or of the object that it refers to."""
        target = {} if reference_name(schema) in self.shared else self.resolve(schema)
        return str(schema.get("description") or target.get("description", ""))


def reference_name(schema: DocumentPart) -> str:
    """Return the name that a schema refers to, by `$ref` or by one in its `allOf`."""
    for part in (schema, *schema.get("allOf", ())):
        if "$ref" in part:
            return str(part["$ref"]).removeprefix(SCHEMA_REFERENCE_PREFIX)
    return ""


def reference_names(part: Any) -> Iterator[str]:
    """Yield the name of an object for each reference to it."""
    if isinstance(part, dict):
        if str(part.get("$ref", "")).startswith(SCHEMA_REFERENCE_PREFIX):
            yield reference_name(part)
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from reference_names(each)
