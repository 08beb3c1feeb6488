"""The links of other texts that a change of content breaks, listed before the change is made."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any

from django.db import models, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.text import capfirst
from msgspec import Struct

from catalogue.linking import Checker, DeadLink
from catalogue.models import App, Post, ScienceTopic, TimelineLink, is_visible
from catalogue.timeline_links import shown_links

RowKey = tuple[str, Any]
"""The key of a row: label of its model, and primary key."""


class Place(Struct, frozen=True):
    """A place in a row that a change affects; `row` is `None` for responses of the program itself.

    While a place `blocks`, a freeze publishes nothing.
    """

    row: Any
    words: str
    blocks: bool


class RowPlaces(Struct, frozen=True):
    """The places of one row."""

    row: Any
    places: list[Place]


class LinkState(Struct, frozen=True):
    """The dead links at a moment, and the rows that show each app."""

    dead: dict[tuple[Any, ...], DeadLink]
    hidden: Collection[Any]
    """Primary keys of milestones' links that responses leave out."""
    missing: Collection[str]
    apps: Collection[Any]
    shown: dict[RowKey, Model]
    """Posts and topics that readers see."""
    shown_apps: dict[tuple[RowKey, Any], str]
    """The apps that these rows show, with the names of the apps."""


def read_link_state() -> LinkState:
    now = timezone.now()
    checker = Checker(now)
    links = TimelineLink.objects
    return LinkState(
        dead={dead.link.key: dead for dead in checker.dead_everywhere()},
        hidden=frozenset(links.exclude(pk__in=shown_links(now)).values_list("pk", flat=True)),
        missing=frozenset(checker.missing()),
        apps=frozenset(App.objects.published(at=now).values_list("pk", flat=True)),
        shown={row_key(row): row for row in published_rows(now)},
        shown_apps=dict(apps_of_rows(now)),
    )


def published_rows(now: datetime) -> Iterator[Model]:
    yield from Post.objects.published(at=now).defer("body_en", "body_vi")
    yield from ScienceTopic.objects.published(at=now)


def apps_of_rows(now: datetime) -> Iterator[tuple[tuple[RowKey, Any], str]]:
    posts = Post.objects.published(at=now).filter(is_visible(now, "app__"))
    for post, app, name in posts.values_list("pk", "app_id", "app__name"):
        yield ((Post._meta.label_lower, post), app), name
    topics = ScienceTopic.objects.published(at=now).filter(is_visible(now, "apps__"))
    for topic, app, name in topics.values_list("pk", "apps", "apps__name"):
        yield ((ScienceTopic._meta.label_lower, topic), app), name


def row_key(row: Model) -> RowKey:
    return row._meta.label_lower, row.pk


def broken_places(before: LinkState, after: LinkState, changed: Collection[RowKey]) -> list[Place]:
    """Return the places whose links or apps a change breaks, except those in the changed rows."""
    return [
        *find_dead_places(before, after, changed),
        *find_lost_apps(before, after, changed),
        *(
            Place(None, f"Answers of the site and of the API link to {address}.", blocks=True)
            for address in sorted({*after.missing} - {*before.missing})
        ),
    ]


def find_dead_places(
    before: LinkState, after: LinkState, changed: Collection[RowKey]
) -> Iterator[Place]:
    for name in after.dead.keys() - before.dead.keys():
        link = after.dead[name].link
        if row_key(link.owner) in changed:
            continue
        left_out = isinstance(link.row, TimelineLink) and link.row.pk in after.hidden
        end = "will be left out" if left_out else after.dead[name].reason
        yield Place(
            link.owner,
            f"{column_label(link.row, link.column, link.line)}: {link.quoted} {end}.",
            not left_out,
        )


def column_label(row: Model, column: str, line: int) -> str:
    """Return the label of a column in its form, with a line: `Body, English, line 12`."""
    field: models.Field[Any, Any] = row._meta.get_field(column)  # type: ignore[assignment]
    name = capfirst(str(field.verbose_name))
    return f"{name}, line {line}" if line else name


def find_lost_apps(
    before: LinkState, after: LinkState, changed: Collection[RowKey]
) -> Iterator[Place]:
    for (row, app), name in before.shown_apps.items():
        if app not in after.apps and row in after.shown and row not in changed:
            yield Place(
                after.shown[row], f"“{name}” will no longer be shown with it.", blocks=False
            )


def places_broken_by(change: Callable[[], object], changed: Collection[RowKey]) -> list[Place]:
    """Return the places that a change would break: it is made in a transaction and rolled back."""
    before = read_link_state()
    with transaction.atomic():
        change()
        after = read_link_state()
        transaction.set_rollback(True)
    return broken_places(before, after, changed)


def group_by_row(places: Collection[Place]) -> list[RowPlaces]:
    """Group places by row; those in responses of the program come first."""
    ordered = sorted(places, key=lambda place: (row_sort_key(place.row), place.words))
    return [
        RowPlaces(found[0].row, found)
        for _, several in groupby(ordered, key=lambda place: row_sort_key(place.row))
        for found in [list(several)]
    ]


def row_sort_key(row: Any) -> tuple[str, str]:
    return (row._meta.label_lower, f"{row} {row.pk}") if row else ("", "")


def places_digest(places: Collection[Place]) -> str:
    """Return a digest of the places, which the form sends back when the editor confirms them."""
    words = sorted(f"{row_sort_key(place.row)} {place.words}" for place in places)
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def summarize_places(places: Collection[Place]) -> str:
    texts = len(group_by_row(places))
    blocking = sum(place.blocks for place in places)
    sentence = (
        f"This change breaks {pluralize(len(places), 'place')} in {pluralize(texts, 'text')}."
    )
    if not blocking:
        return sentence
    return (
        f"{sentence} {pluralize(blocking, 'link')} would lead nowhere, and a freeze publishes "
        "nothing until they are edited."
    )


def pluralize(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
