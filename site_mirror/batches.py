"""The documents of the registry in batches, which any process can render.

The subjects are read in one place, in the order of the registry; what becomes of them is a pure
function of them and the context.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from api.headers import transport
from site_mirror import inputs
from site_mirror.context import Context
from site_mirror.documents import Document, Family
from site_mirror.registry import BY_NAME

SIZE = 60
"""Subjects in a batch."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one document is made of; `inputs` is the digest of all of it."""

    family: str
    address: str
    subject: Any
    inputs: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Pieces of one source. A `portable` one asks nothing but its pieces when it is rendered."""

    context: Context
    pieces: Sequence[Piece]
    portable: bool

    def only(self, places: Sequence[int]) -> "Batch":
        return replace(self, pieces=[self.pieces[place] for place in places])

    def documents(self) -> Iterator[Document]:
        renderers = {name: BY_NAME[name].renderer(self.context) for name in self.families}
        secure = transport(self.context.site)
        for piece in self.pieces:
            family, render = BY_NAME[piece.family], renderers[piece.family]
            document = family.document(self.context, piece.address, piece.subject, render)
            yield replace(document, headers={**document.headers, **secure})

    @property
    def families(self) -> set[str]:
        return {piece.family for piece in self.pieces}


def batches(families: Iterable[Family], context: Context) -> Iterator[Batch]:
    surroundings = inputs.digest(
        inputs.program(), context.site, dict(context.lifecycle), dict(context.frames)
    )
    for group in by_source(families):
        subjects = iter(group[0].source.all(context))
        portable = bool(group[0].parameter)
        while some := list(islice(subjects, SIZE)):
            made = list(pieces(group, some, surroundings))
            yield Batch(context, made, portable)


def by_source(families: Iterable[Family]) -> list[list[Family]]:
    """Families that share a source, where the first of them stands in the registry."""
    groups: dict[Any, list[Family]] = {}
    for family in families:
        groups.setdefault((family.source, bool(family.parameter)), []).append(family)
    return list(groups.values())


def pieces(group: Sequence[Family], subjects: Iterable[Any], surroundings: str) -> Iterator[Piece]:
    for subject in subjects:
        parts: dict[Any, tuple[Any, str]] = {}
        for family in group:
            if family.part not in parts:
                part = family.part(subject)
                parts[family.part] = part, inputs.digest(surroundings, part)
            part, digest = parts[family.part]
            if part is not None:
                known = "" if family.asks else digest
                yield Piece(family.name, family.place(part), part, known)
