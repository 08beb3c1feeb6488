"""Divide the documents of the registry into batches for the engine.

The main process reads the rows of all batches in one transaction. A document is a function of its
rows and the context, so any process can render it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from django.utils.timezone import get_default_timezone_name
from msgspec import Struct
from msgspec.structs import replace

from site_mirror.documents import digests
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest
from site_mirror.documents.family import Build, Document, Family
from site_mirror.documents.sources import AllRows, InGroups, Source, Unloaded
from site_mirror.registry.table import FAMILIES_BY_NAME

BATCH_SUBJECTS = 60


class SiteDocument(Struct, frozen=True):
    """A document to build (see `snapshot.batch.PlannedDocument`); `family` is a family's name."""

    family: str
    address: str
    subject: Any
    digest: str = ""
    is_item: bool = False

    @property
    def kind(self) -> int:
        """A number that documents of the same part share, such as a page and its mirror."""
        return id(FAMILIES_BY_NAME[self.family].part)


class UnreadSource(Struct, frozen=True):
    """All subjects of a source, which `load` reads."""

    source: Source
    context: Context
    version: str = ""

    def load(self) -> list[Any]:
        return list(self.source.all(self.context))


class SiteBatch(Struct, frozen=True):
    """Subjects of one source, and the families whose documents are made of them.

    `shared` is a digest of the values that all documents depend on.
    """

    context: Context
    families: Sequence[str]
    shared: str
    subjects: Iterable[Any] = ()
    unloaded: Unloaded | None = None
    is_local: bool = False
    digest: str = ""

    def load(self) -> "SiteBatch":
        if self.unloaded is None:
            return self
        return replace(self, subjects=self.unloaded.load(), unloaded=None)

    def plan(self, built: Built) -> list[SiteDocument]:
        families = [FAMILIES_BY_NAME[name] for name in self.families]
        by_part = [(part, list(each)) for part, each in groupby(families, key=attrgetter("part"))]
        return [
            document
            for subject in self.subjects
            for part_of, sharing in by_part
            for document in plan_part(sharing, part_of(subject), self.shared)
        ]

    def renderer(
        self, planned: Sequence[SiteDocument], built: Built
    ) -> Callable[[SiteDocument], Document]:
        renderers = {name: FAMILIES_BY_NAME[name].renderer(self.context) for name in self.families}
        transport = dict(self.context.transport)
        for name in self.families:
            FAMILIES_BY_NAME[name].prepare(each.subject for each in planned if each.family == name)

        def render(document: SiteDocument) -> Document:
            family = FAMILIES_BY_NAME[document.family]
            return family.document(
                self.context, document.address, document.subject, renderers[family.name], transport
            )

        return render


def plan_part(families: Sequence[Family], part: Any, shared: str) -> Iterator[SiteDocument]:
    """Yield the documents of one part of a subject, one for each family."""
    if part is None:
        return
    part_digest = "" if families[0].build is Build.DERIVED else digest(shared, part)
    for family in families:
        is_item = family.build is Build.ITEMS
        yield SiteDocument(family.name, family.address_of(part), part, part_digest, is_item)


class ListBatch(Struct, frozen=True):
    """A list that is made of the documents of other batches."""

    context: Context
    family: str
    unloaded: Unloaded | None = None
    subjects: Iterable[Any] = ((),)
    digest: str = ""

    @property
    def is_local(self) -> bool:
        return self.unloaded is not None

    def load(self) -> "ListBatch":
        if self.unloaded is None:
            return self
        return replace(self, subjects=self.unloaded.load())

    def plan(self, built: Built) -> list[SiteDocument]:
        address = FAMILIES_BY_NAME[self.family].template
        return [SiteDocument(self.family, address, subject) for subject in self.subjects]

    def renderer(
        self, planned: Sequence[SiteDocument], built: Built
    ) -> Callable[[SiteDocument], Document]:
        family, transport = FAMILIES_BY_NAME[self.family], dict(self.context.transport)
        if family.render_built is None:
            raise LookupError(f"{family.name} is not made of other documents.")
        render_built = family.render_built

        def render(document: SiteDocument) -> Document:
            content = render_built(self.context, document.subject, built)
            return family.document(
                self.context,
                document.address,
                document.subject,
                lambda address, rows: content,
                transport,
            )

        return render


def site_batches(families: Iterable[Family], context: Context) -> Iterator[SiteBatch]:
    """Yield all batches but lists: first local ones, then posts, then the others.

    Local batches come first, so that workers build posts meanwhile.
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
        if family.build is not Build.LISTS:
            key = family.source, bool(family.parameter), family.build is Build.DERIVED
            by_source.setdefault(key, []).append(family)
    for group in sorted(by_source.values(), key=schedule_rank):
        yield from source_batches(group, context, shared)


def schedule_rank(families: Sequence[Family]) -> int:
    if is_rendered_locally(families[0]):
        return 0
    return 1 if isinstance(families[0].source, InGroups) else 2


def is_rendered_locally(family: Family) -> bool:
    """Whether the main process renders a family, because it queries or has a single document."""
    return family.build is Build.DERIVED or not family.parameter


def source_batches(
    families: Sequence[Family], context: Context, shared: str
) -> Iterator[SiteBatch]:
    """Yield the batches of families that share a source."""
    names, source = [family.name for family in families], families[0].source
    batch = SiteBatch(context, names, shared, is_local=is_rendered_locally(families[0]))
    if batch.is_local:
        yield replace(batch, unloaded=UnreadSource(source, context))
    elif isinstance(source, InGroups):
        for unloaded in source.unloaded(context):
            batch_digest = digest(shared, names, unloaded.version) if unloaded.version else ""
            yield replace(batch, unloaded=unloaded, digest=batch_digest)
    else:
        subjects = iter(source.all(context))
        while group := list(islice(subjects, BATCH_SUBJECTS)):
            yield replace(batch, subjects=group)


def list_batches(families: Iterable[Family], context: Context) -> Iterator[ListBatch]:
    """Yield a batch for each list that is made of other documents.

    A list of all rows is made of their documents, so its rows are not read again.
    """
    for family in families:
        if family.build is Build.LISTS:
            if isinstance(family.source, AllRows):
                yield ListBatch(context, family.name)
            else:
                yield ListBatch(context, family.name, UnreadSource(family.source, context))
