"""Tables of the members of objects, from the schemas of an OpenAPI document.

An object that is used in several places is shared: it has a table of its own, and other tables link
to it. Members of other objects are listed in place, by dotted names such as `data[].links.self`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
from django.utils.translation import gettext as _

from site_mirror.pages.blocks import Inline, Link, Literal, Phrase, Table
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import translated_text

Part = Mapping[str, Any]
"""A part of an OpenAPI document."""

DOCUMENT_TEXT = "OpenAPI document"
"""The context of the texts of the document in the catalogue."""
NO_VALUE = "—"
MAX_LISTED_CHOICES = 12
"""Choices of the longest list that is shown in full."""
CHOICES_OF_LONG_LIST = 3
"""Choices that are shown of a longer list."""
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


def mark_code(text: str) -> Inline:
    """Return a text as inline parts, literals between backticks; the rest keeps its language."""
    parts, kind = enumerate(text.split("`")), type(text)
    return Phrase([Literal(part) if number % 2 else kind(part) for number, part in parts if part])


def join_inline(parts: Sequence[Inline], between: str = ", ") -> Inline:
    if not parts:
        return NO_VALUE
    return Phrase([each for part in parts for each in (between, part)][1:])


def yes_or_no(answer: bool) -> str:  # noqa: FBT001 - there is nothing else to say
    return _("yes") if answer else _("no")


class Schemas:
    """The objects of a document on a page in one language."""

    def __init__(self, frame: Frame, document: Part) -> None:
        self.frame = frame
        self.named: Mapping[str, Part] = document["components"]["schemas"]
        parts = orjson.dumps([document["paths"], document["components"]]).decode()
        uses = Counter(re.findall(r'"#/components/schemas/(\w+)"', parts))
        self.shared = [name for name in self.named if uses[name] > 1]

    def table(self, caption: str, schema: Part) -> Table:
        headings = [_("Field"), _("Type"), _("Required"), _("Nullable"), _("Meaning")]
        return Table(caption, headings, list(self.rows(schema)))

    def rows(self, schema: Part, prefix: str = "") -> Iterator[list[Inline]]:
        """Yield a row for each member of an object and of the objects inside it."""
        owner = self.resolve(schema)
        for name, part in owner.get("properties", {}).items():
            listed_here = {} if self.shared_name(part) else self.resolve(part)
            description = part.get("description") or listed_here.get("description", "")
            yield [
                Literal(prefix + name),
                self.type_of(part),
                yes_or_no(name in owner.get("required", ())),
                yes_or_no("null" in part.get("type", "")),
                self.meaning(description, part),
            ]
            yield from self.rows_inside(part, prefix + name)

    def rows_inside(self, schema: Part, name: str) -> Iterator[list[Inline]]:
        if "items" in schema:
            yield from self.rows_inside(schema["items"], f"{name}[]")
        elif not self.shared_name(schema):
            yield from self.rows(schema, f"{name}.")

    def resolve(self, schema: Part) -> Part:
        return self.named.get(referenced_name(schema), schema)

    def shared_name(self, schema: Part) -> str:
        name = referenced_name(schema)
        return name if name in self.shared else ""

    def type_of(self, schema: Part) -> Inline:
        if name := self.shared_name(schema):
            return Link(name, f"#schema-{name}")
        listed = self.resolve(schema)["type"]
        [kind] = {listed} if isinstance(listed, str) else {*listed} - {"null"}
        if inner := inner_schema(schema):
            pattern = _("array of {type}") if kind == "array" else _("object of {type}")
            before, _placeholder, after = pattern.partition("{type}")
            return Phrase([part for part in (before, self.type_of(inner), after) if part])
        return Literal(f"{kind} ({schema['format']})" if "format" in schema else kind)

    def translate(self, text: str) -> str:
        """Return a text of the document in the language of the page."""
        return translated_text(self.frame, text, DOCUMENT_TEXT)

    def text(self, text: str) -> Inline:
        return mark_code(self.translate(text))

    def meaning(self, description: str, schema: Part) -> Inline:
        """Return the description of a value, and its limits in keywords of JSON Schema."""
        texts = [self.text(description)] if description else []
        limits = list_limits(schema)
        return join_inline([*texts, join_inline(limits, "; ")] if limits else texts, " ")


def referenced_name(schema: Part) -> str:
    """Return the name that a schema refers to, by `$ref` or by one in its `allOf`."""
    references = [part["$ref"] for part in (schema, *schema.get("allOf", ())) if "$ref" in part]
    return str(references[0]).rpartition("/")[2] if references else ""


def inner_schema(schema: Part) -> Part | None:
    """Return the schema of an array's items, or of the members of an object of any names."""
    return schema.get("items") or schema.get("additionalProperties") or None


def list_limits(schema: Part) -> list[Inline]:
    limits: list[Inline] = [describe_choices(schema["enum"])] if "enum" in schema else []
    for name in LIMITS:
        if name in schema:
            limit = "true" if schema[name] is True else schema[name]
            limits.append(Literal(f"{name}: {limit}"))
    inner = inner_schema(schema)
    if of_items := list_limits(inner) if inner else []:
        limits.append(Phrase([Literal("items"), ": ", join_inline(of_items, "; ")]))
    return limits


def describe_choices(values: Sequence[object]) -> Inline:
    literals = [Literal(str(value)) for value in values]
    if len(literals) <= MAX_LISTED_CHOICES:
        return Phrase([_("One of"), " ", join_inline(literals)])
    first = join_inline(literals[:CHOICES_OF_LONG_LIST])
    return Phrase([_("One of %(count)s") % {"count": len(literals)}, ": ", first, ", …"])
