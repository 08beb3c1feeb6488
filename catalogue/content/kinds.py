"""The kinds of content: where the rows of each stand among the files."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from django.db.models import Q
from django.utils.text import capfirst

from catalogue.models import (
    ApiVersion,
    App,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Image,
    Page,
    Post,
    Principle,
    ScienceTopic,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)
from catalogue.models.base import Content

Row = tuple[str, ...]
"""The name of a row: that of its table, and its natural key."""


class Kind(NamedTuple):
    """A table, the file of its rows, and the parts that belong to a row.

    With `{}` in its name, each row has a file of its own, which is named by the row's key. `parts`
    are tables by the name of their reference to the row. `only` is the condition of the rows.
    """

    model: type[Content]
    file: str
    parts: tuple[tuple[type[Content], str], ...] = ()
    only: Q = Q()

    @property
    def name(self) -> str:
        return self.model._meta.model_name or ""

    @property
    def label(self) -> str:
        return capfirst(str(self.model._meta.verbose_name_plural))

    def rows(self, key: str = "") -> Iterator[Sequence[Content]]:
        """Yield each row in the order of the file, or that with a key, followed by its parts."""
        rows = self.model._default_manager.filter(self.only)
        for row in rows.filter(**dict.fromkeys(self.model.NATURAL_KEY, key)) if key else rows:
            parts = (model._default_manager.filter(**{name: row}) for model, name in self.parts)
            yield row, *chain.from_iterable(parts)

    def file_of(self, row: Content) -> str:
        return self.file.format(*row.natural_key())


KINDS = (
    Kind(Studio, "studio.yaml"),
    Kind(TeamMember, "team.yaml"),
    Kind(Tag, "tags.yaml", ((FormerTagSlug, "owner"),)),
    Kind(App, "apps/{}.yaml", ((FormerAppSlug, "owner"),)),
    Kind(Post, "posts/{}.yaml", ((FormerPostSlug, "owner"),)),
    Kind(ScienceTopic, "science.yaml", ((Symbol, "topic"),)),
    Kind(Principle, "principles.yaml"),
    Kind(TimelineEntry, "timeline.yaml", ((TimelineLink, "entry"),)),
    Kind(Statistic, "statistics.yaml"),
    Kind(ApiVersion, "versions.yaml"),
    Kind(Image, "images/{}.yaml"),
    Kind(Page, "pages/{}.yaml"),
)
"""All kinds; a row comes before the rows that refer to it."""

FORMER = (FormerAppSlug, FormerPostSlug, FormerTagSlug)
"""Tables of former slugs; one without an owner is an address that leads nowhere any more."""

EVERYTHING = (*KINDS, *(Kind(model, "retired.yaml", only=Q(owner=None)) for model in FORMER))


def tables() -> Iterator[type[Content]]:
    """Yield the tables whose rows may stand in a file."""
    for kind in KINDS:
        yield kind.model
        yield from (model for model, _ in kind.parts)


def find_kinds(name: str) -> Sequence[Kind]:
    """Return the kind of a name, or nothing; without a name, everything."""
    return [kind for kind in KINDS if kind.name == name] if name else EVERYTHING


def name_of(row: Content) -> Row:
    return row._meta.label_lower, *row.natural_key()
