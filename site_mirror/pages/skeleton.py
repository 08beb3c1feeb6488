"""What is the same on all pages of a kind: written once, with gaps that each page fills."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from django.template import engines
from jinja2 import Template
from markupsafe import Markup
from msgspec import Struct

from site_mirror.pages.blocks import Link
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page

EDGE = "\0"
"""Around the name of a gap; no text has it."""


class Kind(Struct, frozen=True):
    """What pages have in common that differ only in what their texts say.

    `twin` and `summary` tell whether there is one, `data` and `byline` how many there are.
    """

    language: str
    style: str
    open_graph: str
    script: str
    icon: str
    trail: tuple[Link, ...]
    place: str
    twin: bool
    summary: bool
    data: int
    byline: int


def kind_of(page: Page) -> Kind:
    return Kind(
        language=page.language,
        style=page.style,
        open_graph=page.open_graph,
        script=page.script,
        icon=page.icon,
        trail=page.trail,
        place=page.place,
        twin=bool(page.listed.twin),
        summary=bool(page.summary),
        data=len(page.data),
        byline=len(page.byline),
    )


class Skeleton(Struct, frozen=True):
    """HTML, UTF-8, with gaps: every other part is one, and `gaps` are their names."""

    parts: list[bytes]
    gaps: list[str]

    def filled(self, texts: Mapping[str, str]) -> bytes:
        parts = self.parts.copy()
        parts[1::2] = [texts[gap].encode() for gap in self.gaps]
        return b"".join(parts)


@lru_cache(maxsize=256)
def skeleton(frame: Frame, kind: Kind) -> Skeleton:
    text = template("page.html").render(
        frame=frame,
        kind=kind,
        gap=gap,
        data=list(map(gap, names("data", kind.data))),
        byline=list(map(gap, names("byline", kind.byline))),
    )
    parts = text.split(EDGE)
    return Skeleton([part.encode() for part in parts], parts[1::2])


def gap(name: str) -> Markup:
    return Markup(f"{EDGE}{name}{EDGE}")  # noqa: S704 - what fills it is HTML


@lru_cache(maxsize=64)
def names(list_name: str, count: int) -> list[str]:
    """Of the gaps of a list."""
    return [f"{list_name} {number}" for number in range(count)]


@cache
def template(name: str) -> Template:
    """A compiled template of the backend that the settings call `pages`."""
    backend: Any = engines["pages"]
    found: Template = backend.env.get_template(name)
    return found
