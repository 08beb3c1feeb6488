"""Texts of the OpenAPI document, which are English, and its values, as inline parts of a page."""

from collections.abc import Callable, Sequence
from functools import partial

from django.utils.translation import gettext as _

from catalogue.localized import ENGLISH
from site_mirror.pages.blocks import Inline, Link, Literal, Phrase
from site_mirror.pages.docs.schemas import Value
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import English

NOTHING = "—"
MOST = 12
"""Choices that are all listed."""
SHOWN = 3
"""Choices that are listed of more than that."""


def english(frame: Frame, text: str) -> str:
    return text if frame.language == ENGLISH else English(text)


def sentence(frame: Frame, text: str) -> Inline:
    """A text of the document, as `marked` reads it."""
    return marked(text, partial(english, frame))


def marked(text: str, said: Callable[[str], str] = str) -> Inline:
    """A text, with what stands between backticks as literals."""
    parts: list[Inline] = [
        Literal(part) if number % 2 else said(part)
        for number, part in enumerate(text.split("`"))
        if part
    ]
    return parts[0] if len(parts) == 1 else Phrase(parts)


def in_a_row(parts: Sequence[Inline], between: str = ", ") -> Inline:
    if not parts:
        return NOTHING
    row = [parts[0]]
    for part in parts[1:]:
        row += [between, part]
    return Phrase(row)


def yes_or_no(answer: bool) -> str:  # noqa: FBT001 - there is nothing else to say
    return _("yes") if answer else _("no")


def kind(value: Value) -> Inline:
    """The type of a value; a shared object's leads to its members."""
    if value.shared:
        return Link(value.shared, f"#{anchor(value.shared)}")
    if value.of is not None:
        pattern = _("array of {type}") if value.type == "array" else _("object of {type}")
        before, _placeholder, after = pattern.partition("{type}")
        return Phrase([part for part in (before, kind(value.of), after) if part])
    return Literal(f"{value.type} ({value.format})" if value.format else value.type)


def anchor(name: str) -> str:
    """The id of the section of a shared object."""
    return f"schema-{name}"


def limits(value: Value) -> list[Inline]:
    """What a value may be, in the words of JSON Schema, its items' limits included."""
    found: list[Inline] = [Literal(f"{name}: {written(limit)}") for name, limit in value.limits]
    if value.choices:
        found.insert(0, choices(value.choices))
    of_items = limits(value.of) if value.of else []
    if of_items:
        found.append(Phrase([Literal("items"), ": ", in_a_row(of_items, "; ")]))
    return found


def written(limit: object) -> str:
    return str(limit).lower() if isinstance(limit, bool) else str(limit)


def choices(values: Sequence[str]) -> Inline:
    if len(values) <= MOST:
        return Phrase([_("One of"), " ", in_a_row([Literal(value) for value in values])])
    first = in_a_row([Literal(value) for value in values[:SHOWN]])
    return Phrase([_("One of %(count)s") % {"count": len(values)}, ": ", first, ", …"])


def about(frame: Frame, description: str, value: Value) -> Inline:
    """What is said of a value, and its limits."""
    said = [sentence(frame, description)] if description else []
    limited = [in_a_row(limits(value), "; ")] if limits(value) else []
    return in_a_row([*said, *limited], " ")
