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
from catalogue.models import App, Post, ScienceTopic, TimelineLink, visible
from catalogue.targets import shown_links

Key = tuple[str, Any]
"""A row: label of its model, and primary key."""


class Place(Struct, frozen=True):
    """A place in a row that a change affects; `row` is `None` for responses of the program itself.

    While a place `blocks`, a freeze publishes nothing.
    """

    row: Any
    words: str
    blocks: bool


class Group(Struct, frozen=True):
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
    shown: dict[Key, Model]
    """Posts and topics that readers see."""
    shown_apps: dict[tuple[Key, Any], str]
    """The apps that these rows show, with the names of the apps."""


def read_link_state() -> LinkState:
    now = timezone.now()
    checker = Checker(now)
    links = TimelineLink.objects
    return LinkState(
        dead={found.link.key: found for found in checker.dead_everywhere()},
        hidden=frozenset(links.exclude(pk__in=shown_links(now)).values_list("pk", flat=True)),
        missing=frozenset(checker.missing()),
        apps=frozenset(App.objects.published(at=now).values_list("pk", flat=True)),
        shown={row_key(row): row for row in rows_with_apps(now)},
        shown_apps=dict(shown_apps(now)),
    )


def rows_with_apps(now: datetime) -> Iterator[Model]:
    yield from Post.objects.published(at=now).defer("body_en", "body_vi")
    yield from ScienceTopic.objects.published(at=now)


def shown_apps(now: datetime) -> Iterator[tuple[tuple[Key, Any], str]]:
    posts = Post.objects.published(at=now).filter(visible(now, "app__"))
    for post, app, name in posts.values_list("pk", "app_id", "app__name"):
        yield ((Post._meta.label_lower, post), app), name
    topics = ScienceTopic.objects.published(at=now).filter(visible(now, "apps__"))
    for topic, app, name in topics.values_list("pk", "apps", "apps__name"):
        yield ((ScienceTopic._meta.label_lower, topic), app), name


def row_key(row: Model) -> Key:
    return row._meta.label_lower, row.pk


def broken_places(before: LinkState, after: LinkState, changed: Collection[Key]) -> list[Place]:
    """Places whose links or apps a change breaks; the changed rows themselves do not count."""
    return [
        *dead_places(before, after, changed),
        *lost_apps(before, after, changed),
        *(
            Place(None, f"Answers of the site and of the API link to {address}.", blocks=True)
            for address in sorted({*after.missing} - {*before.missing})
        ),
    ]


def dead_places(before: LinkState, after: LinkState, changed: Collection[Key]) -> Iterator[Place]:
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
    """A column as its form calls it, with a line: `Body, English, line 12`."""
    field: models.Field[Any, Any] = row._meta.get_field(column)  # type: ignore[assignment]
    name = capfirst(str(field.verbose_name))
    return f"{name}, line {line}" if line else name


def lost_apps(before: LinkState, after: LinkState, changed: Collection[Key]) -> Iterator[Place]:
    for (row, app), name in before.shown_apps.items():
        if app not in after.apps and row in after.shown and row not in changed:
            yield Place(
                after.shown[row], f"“{name}” will no longer be shown with it.", blocks=False
            )


def places_broken_by(change: Callable[[], object], changed: Collection[Key]) -> list[Place]:
    """Places that a change would break: it is made in a transaction and rolled back."""
    before = read_link_state()
    with transaction.atomic():
        change()
        after = read_link_state()
        transaction.set_rollback(True)
    return broken_places(before, after, changed)


def group_by_row(places: Collection[Place]) -> list[Group]:
    """Places by row, the program's own first."""
    ordered = sorted(places, key=lambda place: (row_sort_key(place.row), place.words))
    return [
        Group(found[0].row, found)
        for _, several in groupby(ordered, key=lambda place: row_sort_key(place.row))
        for found in [list(several)]
    ]


def row_sort_key(row: Any) -> tuple[str, str]:
    return (row._meta.label_lower, f"{row} {row.pk}") if row else ("", "")


def places_digest(places: Collection[Place]) -> str:
    """A digest of the places, which the form sends back when the editor confirms them."""
    words = sorted(f"{row_sort_key(place.row)} {place.words}" for place in places)
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def summarize(places: Collection[Place]) -> str:
    texts = len(group_by_row(places))
    blocking = sum(place.blocks for place in places)
    told = f"This change breaks {pluralize(len(places), 'place')} in {pluralize(texts, 'text')}."
    if not blocking:
        return told
    return (
        f"{told} {pluralize(blocking, 'link')} would lead nowhere, and a freeze publishes nothing "
        "until they are edited."
    )


def pluralize(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
