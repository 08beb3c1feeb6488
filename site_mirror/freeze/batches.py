"""Divide the documents of the registry into batches for the engine.

The main process reads the rows of all batches in one transaction. A document is a function of its
rows and the context, so any process can render it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.utils.timezone import get_default_timezone_name
from msgspec import Struct
from msgspec.structs import replace

from site_mirror.documents import digests
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest
from site_mirror.documents.family import Document, Family
from site_mirror.documents.sources import Group, groups_of
from site_mirror.registry.table import FAMILIES_BY_NAME
from site_mirror.snapshot.batch import PlannedDocument


class SiteBatch(Struct, frozen=True):
    """Subjects of one source, and the families whose documents are made of them.

    The subject of a list is empty, because a list is made of the documents of other batches.
    `shared` is a digest of the values that all documents depend on. The subjects are those of
    `group`, once it is loaded.
    """

    context: Context
    families: Sequence[str]
    shared: str
    group: Group | None = None
    subjects: Iterable[Any] = ()
    is_local: bool = False
    digest: str = ""

    def load(self) -> "SiteBatch":
        return replace(self, subjects=self.group.load(), group=None) if self.group else self

    def plan(self) -> list[PlannedDocument]:
        families = [FAMILIES_BY_NAME[name] for name in self.families]
        by_part = [(part, list(each)) for part, each in groupby(families, key=attrgetter("part"))]
        return [
            document
            for subject in self.subjects
            for part_of, sharing in by_part
            for document in plan_part(sharing, part_of(subject), self.shared)
        ]

    def render(self, planned: PlannedDocument, built: Built) -> Document:
        return FAMILIES_BY_NAME[planned.family].document(self.context, planned.subject, built)


def plan_part(families: Sequence[Family], part: Any, shared: str) -> Iterator[PlannedDocument]:
    if part is None:
        return
    part_digest = digest(shared, part)
    for family in families:
        yield PlannedDocument(
            address=family.address_of(part),
            family=family.name,
            subject=part,
            digest="" if family.derived or family.render_built else part_digest,
            kind=family.language,  # A page and its mirror share their content.
            is_item=family.items,
        )


def site_batches(families: Iterable[Family], context: Context) -> Iterator[SiteBatch]:
    """Yield all batches but lists, those that the main process builds first.

    So workers build the others meanwhile.
    """
    shared = digest(
        digests.program_digest(),
        context.site,
        dict(context.lifecycle),
        dict(context.transport),
        dict(context.frames),
        get_default_timezone_name(),
    )
    by_source: dict[Any, list[Family]] = {}
    for family in families:
        if family.render_built is None:
            by_source.setdefault((family.source, is_local(family)), []).append(family)
    for sharing in sorted(by_source.values(), key=lambda each: not is_local(each[0])):
        names = [family.name for family in sharing]
        for group in groups_of(sharing[0].source, context):
            yield SiteBatch(
                context,
                names,
                shared,
                group,
                is_local=is_local(sharing[0]),
                digest=digest(shared, names, group.digest) if group.digest else "",
            )


def is_local(family: Family) -> bool:
    """Whether the main process renders a family, because it queries or has a single document."""
    return family.derived or not family.parameter


def list_batches(families: Iterable[Family], context: Context) -> Iterator[SiteBatch]:
    """Yield a batch for each list that is made of other documents."""
    for family in families:
        if family.render_built:
            yield SiteBatch(context, [family.name], "", subjects=[()], is_local=True)
