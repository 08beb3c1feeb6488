"""Write texts of the OpenAPI document, which are English, and its values as inline parts."""

from collections.abc import Callable, Sequence
from functools import partial

from django.utils.translation import gettext as _

from catalogue.localized import ENGLISH
from site_mirror.pages.blocks import Inline, Link, Literal, Phrase
from site_mirror.pages.docs.schemas import SchemaValue
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import English

NO_VALUE = "—"
MAX_LISTED_CHOICES = 12
"""Choices of the longest list that is shown in full."""
CHOICES_OF_LONG_LIST = 3
"""Choices that are shown of a longer list."""


def mark_english(frame: Frame, text: str) -> str:
    return text if frame.language == ENGLISH else English(text)


def document_text(frame: Frame, text: str) -> Inline:
    """Return a text of the document as inline parts, marked as English."""
    return mark_code(text, partial(mark_english, frame))


def mark_code(text: str, convert: Callable[[str], str] = str) -> Inline:
    """Return a text as inline parts: literals between backticks, and `convert` of the rest."""
    parts: list[Inline] = [
        Literal(part) if number % 2 else convert(part)
        for number, part in enumerate(text.split("`"))
        if part
    ]
    return parts[0] if len(parts) == 1 else Phrase(parts)


def join_inline(parts: Sequence[Inline], between: str = ", ") -> Inline:
    if not parts:
        return NO_VALUE
    row = [parts[0]]
    for part in parts[1:]:
        row += [between, part]
    return Phrase(row)


def yes_or_no(answer: bool) -> str:  # noqa: FBT001 - there is nothing else to say
    return _("yes") if answer else _("no")


def type_of_value(value: SchemaValue) -> Inline:
    """Return the type of a value; that of a shared object links to its members."""
    if value.shared:
        return Link(value.shared, f"#{object_id(value.shared)}")
    if value.of is not None:
        pattern = _("array of {type}") if value.type == "array" else _("object of {type}")
        before, _placeholder, after = pattern.partition("{type}")
        return Phrase([part for part in (before, type_of_value(value.of), after) if part])
    return Literal(f"{value.type} ({value.format})" if value.format else value.type)


def object_id(name: str) -> str:
    """Return the id of the section about a shared object."""
    return f"schema-{name}"


def list_limits(value: SchemaValue) -> list[Inline]:
    """Return the limits of a value and of its items, in keywords of JSON Schema."""
    parts: list[Inline] = [Literal(f"{name}: {limit_text(limit)}") for name, limit in value.limits]
    if value.choices:
        parts.insert(0, describe_choices(value.choices))
    of_items = list_limits(value.of) if value.of else []
    if of_items:
        parts.append(Phrase([Literal("items"), ": ", join_inline(of_items, "; ")]))
    return parts


def limit_text(limit: object) -> str:
    return str(limit).lower() if isinstance(limit, bool) else str(limit)


def describe_choices(values: Sequence[str]) -> Inline:
    if len(values) <= MAX_LISTED_CHOICES:
        return Phrase([_("One of"), " ", join_inline([Literal(value) for value in values])])
    first = join_inline([Literal(value) for value in values[:CHOICES_OF_LONG_LIST]])
    return Phrase([_("One of %(count)s") % {"count": len(values)}, ": ", first, ", …"])


def describe_value(frame: Frame, description: str, value: SchemaValue) -> Inline:
    """Return the description of a value, and its limits."""
    texts = [document_text(frame, description)] if description else []
    limits = [join_inline(list_limits(value), "; ")] if list_limits(value) else []
    return join_inline([*texts, *limits], " ")
