"""The documents of the registry in batches, which any process can render.

The subjects are read in one place, in the order of the registry, those first whose documents this
process makes itself: it does so while others are at work. What becomes of them is a pure function
of them and the context.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from typing import Any

from django.utils.timezone import get_default_timezone_name
from msgspec import Struct, field
from msgspec.structs import replace

from site_mirror import inputs
from site_mirror.context import Context
from site_mirror.documents import Document, Family
from site_mirror.listed import Listings
from site_mirror.registry import BY_NAME
from site_mirror.shelf import shelf
from site_mirror.sources import Long, Pack, Packed, Source, Unread

SIZE = 60
"""Subjects in a batch, unless they are long."""
HUGE = 5000
"""Posts up to which a list is handed over: a longer one would need too much memory in each process
that has it.
"""
LARGE = 20_000
"""Posts from which on this process makes what does not travel when it is alone."""


class Piece(Struct, frozen=True):
    """What one document is made of; `inputs` is the digest of all of it.

    An `item` stands in a list, even if it is taken over.
    """

    family: str
    address: str
    subject: Any
    inputs: str
    item: bool

    @property
    def kind(self) -> int:
        """The same for what is made of the same part of a subject: a page and its mirror."""
        return id(BY_NAME[self.family].part)


class Batch(Struct, frozen=True):
    """The documents of some subjects of one source.

    A `portable` one asks nothing but its subjects when it is rendered. `surroundings` is a digest
    of what all documents are made of, `inputs` of that and the subjects.
    """

    context: Context
    families: Sequence[str]
    subjects: Iterable[Any]
    surroundings: str
    portable: bool
    inputs: str = ""
    last: bool = False
    alone: bool = False
    long: bool = False

    def ready(self) -> "Batch":
        if isinstance(self.subjects, Unread):
            return replace(self, subjects=self.subjects.filled())
        return self

    def pieces(self) -> list[Piece]:
        group = [BY_NAME[name] for name in self.families]
        return list(pieces(group, self.subjects, self.surroundings))

    def renderer(self, pieces: Sequence[Piece]) -> Callable[[Piece], Document]:
        renderers = {name: BY_NAME[name].renderer(self.context) for name in self.families}
        secure = dict(self.context.transport)
        for name in self.families:
            BY_NAME[name].prepare(piece.subject for piece in pieces if piece.family == name)

        def document(piece: Piece) -> Document:
            family, render = BY_NAME[piece.family], renderers[piece.family]
            return family.document(self.context, piece.address, piece.subject, render, secure)

        return document


class Later(Struct, frozen=True):
    """A list that is made of the documents of another family, once those are collected."""

    context: Context
    name: str
    listings: Listings
    alone: bool
    inputs: str = ""
    last: bool = True
    long: bool = False

    @property
    def family(self) -> Family:
        return BY_NAME[self.name]

    @property
    def portable(self) -> bool:
        return not self.alone

    def ready(self) -> "Later":
        return self

    def pieces(self) -> list[Piece]:
        items = self.listings.items(self.family.lists)
        return [Piece(self.family.name, self.family.template, items, "", item=False)]

    def renderer(self, pieces: Sequence[Piece]) -> Callable[[Piece], Document]:
        secure = dict(self.context.transport)
        return lambda piece: self.family.listing_document(self.context, piece.subject, secure)


class All(Struct, frozen=True):
    """The subjects of a source, read when they are needed."""

    source: Source
    context: Context

    def __iter__(self) -> Iterator[Any]:
        return iter(self.source.all(self.context))


class Digests(Struct):
    """Digests of what packs contain, by digests of what is told of them without reading it.

    `before` are those of the published release, `now` those of the one in the making.
    """

    before: Mapping[str, str] = field(default_factory=dict)
    now: dict[str, str] = field(default_factory=dict)

    def of(self, unread: Unread, *surroundings: Any) -> tuple[str, Unread | Pack]:
        """Of all that the documents of a pack are made of; it is filled only to find that out."""
        told = inputs.digest(*surroundings, unread)
        if found := self.before.get(told):
            return self.now.setdefault(told, found), unread
        full = unread.filled()
        return self.now.setdefault(told, inputs.digest(*surroundings, full.contents())), full


def batches(
    families: Iterable[Family], context: Context, listings: Listings, digests: Digests
) -> Iterator[Batch | Later]:
    """Every document, those last that are lists of other documents."""
    surroundings = inputs.digest(
        inputs.program(),
        context.site,
        dict(context.lifecycle),
        dict(context.transport),
        dict(context.frames),
        get_default_timezone_name(),
    )
    every = list(families)
    alone = len(shelf(context).keys) > LARGE
    at_last = [
        family
        for family in every
        if family.lists or family.last or (alone and not portable(family))
    ]
    groups = by_source(family for family in every if family not in at_last)
    for group in sorted(groups, key=turn):
        yield from of_source(group, context, surroundings, digests)
    for family in at_last:
        if family.lists:
            yield Later(context, family.name, listings, alone)
    for group in groups:
        yield from very_long(group, context, surroundings, alone=alone)
    for family in at_last:
        if not family.lists:
            made = of_source([family], context, surroundings, digests)
            yield from (replace(batch, last=True, alone=alone) for batch in made)


def turn(group: Sequence[Family]) -> int:
    """What stays at home before what travels, and posts before all the rest."""
    if not portable(group[0]):
        return 0
    return 1 if isinstance(group[0].source, Packed) else 2


def of_source(
    group: Sequence[Family], context: Context, surroundings: str, digests: Digests
) -> Iterator[Batch]:
    names, source = [family.name for family in group], group[0].source
    if isinstance(source, Packed):
        for pack in source.packs(context, read=not digests.before):
            digest, found = digests.of(pack, surroundings, names)
            known = "" if any(family.asks for family in group) else digest
            yield Batch(context, names, found, surroundings, portable=True, inputs=known)
        return
    if not group[0].parameter:
        yield Batch(context, names, All(source, context), surroundings, portable=False)
        return
    travels = portable(group[0])
    if isinstance(source, Long):
        for subject in source.within(context, 1, HUGE):
            yield Batch(context, names, [subject], surroundings, travels, long=True)
        return
    subjects = iter(source.all(context))
    while some := list(islice(subjects, SIZE)):
        yield Batch(context, names, some, surroundings, travels)


def portable(family: Family) -> bool:
    """Whether its documents can be made in another process: there are many, of rows alone."""
    return bool(family.parameter) and not family.asks


def very_long(
    group: Sequence[Family], context: Context, surroundings: str, *, alone: bool
) -> Iterator[Batch]:
    """Lists that this process makes one at a time."""
    source = group[0].source
    if isinstance(source, Long):
        names = [family.name for family in group]
        for subject in source.within(context, HUGE + 1, inf):
            made = Batch(context, names, [subject], surroundings, portable=False, long=True)
            yield replace(made, last=True, alone=alone)


def by_source(families: Iterable[Family]) -> list[list[Family]]:
    """Families that share a source, where the first of them stands in the registry."""
    groups: dict[Any, list[Family]] = {}
    for family in families:
        groups.setdefault((family.source, bool(family.parameter)), []).append(family)
    return list(groups.values())


def pieces(group: Sequence[Family], subjects: Iterable[Any], surroundings: str) -> Iterator[Piece]:
    by_part = [(part, list(some)) for part, some in groupby(group, key=attrgetter("part"))]
    for subject in subjects:
        for part_of, families in by_part:
            part = part_of(subject)
            if part is None:
                continue
            digest = inputs.digest(surroundings, part)
            for family in families:
                known = "" if family.asks else digest
                yield Piece(family.name, family.place(part), part, known, family.item)
