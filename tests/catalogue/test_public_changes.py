"""Only what readers see moves the moment of the public `Last-Modified`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from catalogue import revision
from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    Post,
    Principle,
    Revision,
    ScienceTopic,
    State,
    Symbol,
    Tag,
    TimelineEntry,
    TimelineLink,
)
from tests import rows
from tests.catalogue import ways
from tests.catalogue.makers import CHANGES, MAKERS, content_models, make_tag
from tests.catalogue.test_revision import WAYS

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)
LATER = timezone.now() + timedelta(days=400)
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)
MODELS = pytest.mark.parametrize("model", PUBLISHABLE, ids=lambda model: model.__name__)
HIDDEN: dict[str, dict[str, Any]] = {
    "draft": {"state": State.DRAFT, "publish_at": None},
    "withdrawn": {"state": State.DRAFT},
    "in review": {"state": State.IN_REVIEW},
    "scheduled": {"publish_at": LATER},
}
STATES = pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)


def shows(write: Callable[[], object]) -> bool:
    """Whether a write moves the moment."""
    Revision.objects.update(public_changed_at=LONG_AGO)
    write()
    return Revision.objects.get().public_changed_at != LONG_AGO


def change(row: Model) -> Callable[[], None]:
    """A save of a row with another value, which is there already if it is a row."""
    field, value = CHANGES[type(row)]
    setattr(row, field, value())
    return row.save


def tie_a_tag(model: type[Model]) -> None:
    """A tag is seen at its posts."""
    if model is Tag:
        rows.make_post(slug="tagged").tags.set(Tag.objects.all())


@WAYS
@pytest.mark.parametrize("model", content_models(), ids=lambda model: model.__name__)
def test_every_way_of_writing_what_readers_see_moves_the_moment(
    model: type[Model],
    way: Callable[[type[Model], Path], ways.Write],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write = way(model, tmp_path)
    tie_a_tag(model)
    is_new_tag = model is Tag and way.__name__ in ("save_of_new", "bulk_create", "loaddata")

    assert shows(write) is not is_new_tag  # Readers see no tag without posts.


@pytest.mark.parametrize("model", content_models(), ids=lambda model: model.__name__)
def test_a_save_that_changes_nothing_changes_nothing_in_public(model: type[Model]) -> None:
    row = MAKERS[model]()
    tie_a_tag(model)

    assert not shows(row.save)


@STATES
@MODELS
def test_what_readers_do_not_see_may_come_change_and_go(
    model: type[Model], hidden: dict[str, Any]
) -> None:
    rows.make_team_member()
    make = MAKERS[model]

    assert not shows(lambda: make(**hidden))
    row = model._default_manager.get()
    assert not shows(change(row))
    assert not shows(row.delete)
    assert revision.last_change(timezone.now()) == LONG_AGO


@STATES
@MODELS
def test_a_row_moves_the_moment_when_it_appears_and_when_it_goes(
    model: type[Model], hidden: dict[str, Any]
) -> None:
    MAKERS[model](**hidden)
    row = model._default_manager.filter(pk=model._default_manager.get().pk)

    assert shows(lambda: row.update(**rows.SHOWN))
    assert shows(lambda: row.update(**hidden))
    assert not shows(lambda: row.update(publish_at=LATER))


@MODELS
def test_another_day_of_publication_is_seen(model: type[Model]) -> None:
    MAKERS[model]()

    assert shows(lambda: model._default_manager.update(publish_at=LONG_AGO))


def symbol(**hidden: Any) -> Model:
    topic = rows.make_topic(**hidden)
    return Symbol.objects.create(topic=topic, symbol="f", meaning_en="frequency")


def link(**hidden: Any) -> Model:
    entry = rows.make_entry(**hidden)
    return TimelineLink.objects.create(entry=entry, label_en="A link", href="/a")


def former_app_slug(**hidden: Any) -> Model:
    return FormerAppSlug.objects.create(slug="an-old-app", app=rows.make_app(**hidden))


def former_post_slug(**hidden: Any) -> Model:
    return FormerPostSlug.objects.create(slug="an-old-post", post=rows.make_post(**hidden))


def tag_of_a_post(**hidden: Any) -> Model:
    post = rows.make_post(**hidden)
    post.tags.add(make_tag())
    return Post.tags.through._default_manager.get()


def app_of_a_topic(**hidden: Any) -> Model:
    rows.make_topic(**hidden).apps.add(rows.make_app())
    return ScienceTopic.apps.through._default_manager.get()


def topic_of_an_app(**hidden: Any) -> Model:
    rows.make_topic().apps.add(rows.make_app(**hidden))
    return ScienceTopic.apps.through._default_manager.get()


def tag(**hidden: Any) -> Model:
    tag_of_a_post(**hidden)
    return Tag.objects.get()


CHILDREN = (symbol, link, former_app_slug, former_post_slug, tag_of_a_post, tag)


@STATES
@pytest.mark.parametrize("make", CHILDREN, ids=lambda make: make.__name__)
def test_what_belongs_to_a_row_that_readers_do_not_see_is_not_seen(
    make: Callable[..., Model], hidden: dict[str, Any]
) -> None:
    row = make(**hidden)

    assert not shows(change(row))
    assert not shows(row.delete)


@STATES
@pytest.mark.parametrize("make", [app_of_a_topic, topic_of_an_app], ids=lambda make: make.__name__)
def test_a_topic_and_an_app_are_tied_for_readers_who_see_both(
    make: Callable[..., Model], hidden: dict[str, Any]
) -> None:
    assert not shows(make(**hidden).delete)


@pytest.mark.parametrize("make", [*CHILDREN, app_of_a_topic], ids=lambda make: make.__name__)
def test_what_belongs_to_a_row_that_readers_see_is_seen(make: Callable[..., Model]) -> None:
    row = make()

    assert shows(change(row))
    assert shows(row.delete)


def test_a_post_that_loses_a_draft_of_an_app_is_as_readers_saw_it() -> None:
    draft, shown = rows.make_app(slug="draft", state=State.DRAFT), rows.make_app(slug="shown")
    rows.make_post(slug="of-a-draft", app=draft)
    rows.make_post(slug="of-an-app", app=shown)

    assert not shows(draft.delete)
    assert shows(shown.delete)


def test_a_scheduled_row_that_was_edited_is_new_when_it_falls_due() -> None:
    rows.make_team_member()
    due = timezone.now() + timedelta(hours=1)
    post = rows.make_post(publish_at=due)
    Revision.objects.update(public_changed_at=LONG_AGO)
    change(post)()

    assert revision.last_change(due - timedelta(seconds=1)) == LONG_AGO
    assert revision.last_change(due) == due > timezone.now()
