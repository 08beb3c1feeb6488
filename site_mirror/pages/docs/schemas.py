"""The members of objects and the values of enumerations, from the schemas of the OpenAPI document.

An object has a page of its own, to which others link, unless only one other object has it: then its
members are listed there, by dotted names such as `links.self`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
from django.utils.text import camel_case_to_spaces, slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from api.contract import JSON
from api.schema import VALUES
from catalogue import addresses
from site_mirror.pages.blocks import Inline, Link, Literal, Member, Phrase
from site_mirror.pages.frame import Frame

Part = Mapping[str, Any]
"""A part of an OpenAPI document."""
DOCUMENT_TEXT = "OpenAPI document"
"""The context of the texts of the document in the catalogue."""
ENVELOPE = "Envelope"
"""How the names of the schemas of whole responses end."""


def slug_of(name: str) -> str:
    """Return the slug of a page: `listScienceTopics` → `list-science-topics`, `App` → `app-object`.

    That of an object, whose name has a capital, is never `index`: file servers change that.
    """
    slug = slugify(camel_case_to_spaces(name))
    return f"{slug}-object" if name[0].isupper() else slug


def names_of_objects(schemas: Mapping[str, Part]) -> list[str]:
    """Return the names of the objects that have a page."""
    inner = [each for name, each in schemas.items() if not name.endswith(ENVELOPE)]
    uses = Counter(re.findall(r'"#/components/schemas/(\w+)"', orjson.dumps(inner).decode()))
    return sorted(name for name in schemas if not name.endswith(ENVELOPE) and uses[name] != 1)


def name_of(part: Part) -> str:
    """Return the name of the component that a part refers to, or nothing."""
    return str(part.get("$ref", "")).rpartition("/")[2]


def success_of(operation: Part) -> Part:
    """Return the body of a success: its schema and, if a row is published, its example."""
    body: Part = operation["responses"]["200"]["content"][JSON]
    return body


def values_of_objects(
    schemas: Mapping[str, Part], schema: Part, value: Any
) -> Iterator[tuple[str, Any]]:
    """Yield the named objects in a value that has a schema, the outer ones first."""
    if name := name_of(schema):
        yield name, value
    members = schemas.get(name, schema).get("properties", {})
    for item in value if isinstance(value, list) else ():
        yield from values_of_objects(schemas, schema["items"], item)
    for key in members:
        if key in value:
            yield from values_of_objects(schemas, members[key], value[key])


def translate(text: str) -> str:
    """Return a text of the document in the active language."""
    return pgettext(DOCUMENT_TEXT, text)


def description_of(part: Part) -> Inline:
    return mark_code(translate(part["description"]))


def mark_code(text: str) -> Inline:
    """Return a text as inline parts, literals between backticks."""
    parts = enumerate(text.split("`"))
    return Phrase([Literal(part) if number % 2 else part for number, part in parts if part])


def values_of(schema: Part) -> list[tuple[Inline, Inline]]:
    """Return the values of an enumeration, each with its meaning."""
    meanings = schema.get("items", schema).get(VALUES, {})
    return [(Literal(value), mark_code(translate(text))) for value, text in meanings.items()]


class Schemas:
    """The schemas of a document on a page in one language."""

    def __init__(self, frame: Frame, named: Mapping[str, Part]) -> None:
        self.frame, self.named = frame, named
        self.objects = names_of_objects(named)

    def members(self, schema: Part, prefix: str = "") -> Iterator[Member]:
        """Yield the members of an object, and of the objects inside it that have no page."""
        owner = self.named.get(name_of(schema), schema)
        for name, part in owner.get("properties", {}).items():
            is_required = name in owner.get("required", ())
            notes = [self.type_of(part), _("required") if is_required else _("optional")]
            if "null" in part.get("type", ()):
                notes.append(_("can be null"))
            about = part if "description" in part else self.named[name_of(part)]
            yield Member(Literal(prefix + name), notes, description_of(about), values_of(part))
            inner, joint = (part["items"], "[].") if "items" in part else (part, ".")
            if name_of(inner) not in self.objects:
                yield from self.members(inner, prefix + name + joint)

    def type_of(self, schema: Part) -> Inline:
        if (name := name_of(schema)) in self.objects:
            page = addresses.reference_page(slug_of(name))
            return Link(name, self.frame.address_here(page))
        listed = self.named.get(name, schema)["type"]
        [kind] = {listed} if isinstance(listed, str) else {*listed} - {"null"}
        if inner := schema.get("items") or schema.get("additionalProperties"):
            pattern = _("array of {type}") if kind == "array" else _("object of {type}")
            before, _placeholder, after = pattern.partition("{type}")
            return Phrase([part for part in (before, self.type_of(inner), after) if part])
        return Literal(f"{kind} ({schema['format']})" if "format" in schema else kind)
