"""The kinds of content: where the rows of each stand among the files."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet
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
    are tables by the name of their reference to the row.
    """

    model: type[Content]
    file: str
    parts: tuple[tuple[type[Content], str], ...] = ()

    @property
    def name(self) -> str:
        return self.model._meta.model_name or ""

    @property
    def label(self) -> str:
        return capfirst(str(self.model._meta.verbose_name_plural))

    def rows(self) -> QuerySet[Any]:
        """Return the rows in the order of the file."""
        return self.model._default_manager.all()

    def file_of(self, row: Content) -> str:
        return self.file.format(*row.natural_key())

    def parts_of(self, row: Content) -> Iterator[Content]:
        for model, reference in self.parts:
            yield from model._default_manager.filter(**{reference: row})


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
RETIRED_FILE = "retired.yaml"


def tables() -> Iterator[type[Content]]:
    """Yield the tables whose rows may stand in a file."""
    for kind in KINDS:
        yield kind.model
        yield from (model for model, _ in kind.parts)


def find_kind(name: str) -> Kind | None:
    return next((kind for kind in KINDS if kind.name == name), None)


def find_row(kind: Kind, key: str) -> Content | None:
    return next((row for row in kind.rows() if row.natural_key() == (key,)), None)


def retired_slugs() -> Iterator[Content]:
    for model in FORMER:
        yield from model.objects.filter(owner=None)


def all_rows() -> Iterator[Content]:
    for kind in KINDS:
        for row in kind.rows():
            yield row
            yield from kind.parts_of(row)
    yield from retired_slugs()


def name_of(row: Content) -> Row:
    return row._meta.label_lower, *row.natural_key()
