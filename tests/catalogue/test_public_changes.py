"""Every write moves the content revision, one of visible content the public `Last-Modified`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from catalogue.models import (
    FormerTagSlug,
    Image,
    Post,
    Revision,
    ScienceTopic,
    State,
    Tag,
    TagPicture,
)
from catalogue.triggers import revision
from tests import factories
from tests.catalogue.write_operations import WAYS, Write
from tests.factories import CHANGES, FACTORIES, HIDDEN, list_content_tables
from tests.revisions import read_revision_number

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)
LATER = timezone.now() + timedelta(days=400)
MODELS = pytest.mark.parametrize("model", revision.PUBLISHABLE, ids=lambda model: model.__name__)
STATES = pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)


def moves_moment(write: Callable[[], object]) -> bool:
    """Tell whether a write moves the public moment."""
    Revision.objects.update(public_changed_at=LONG_AGO)
    write()
    return Revision.objects.get().public_changed_at != LONG_AGO


def prepare_change(row: Model) -> Callable[[], None]:
    """Set another value of a row, and return its save; a related row is created here."""
    field, value = CHANGES[type(row)]
    setattr(row, field, value())
    return row.save


def add_tag_to_post(model: type[Model]) -> None:
    """Give every tag a post, and an image one that shows it: readers see none without posts."""
    if model is Image:
        factories.make_post(slug="showing", body_en="![a](/images/an-image.webp)")
    if model in (Tag, TagPicture, FormerTagSlug):
        factories.make_post(slug="tagged").tags.set(Tag.objects.all())


@WAYS
@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_every_write_moves_the_revision_and_one_of_visible_content_the_public_moment(
    model: type[Model], way: Callable[[type[Model]], Write]
) -> None:
    write = way(model)
    add_tag_to_post(model)
    is_new_tag = model is Tag and way.__name__ == "save_new"
    before = read_revision_number()

    assert moves_moment(write) is not is_new_tag  # Readers see no tag without posts.
    assert read_revision_number() > before


@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_a_save_without_changes_keeps_the_public_moment(model: type[Model]) -> None:
    row = FACTORIES[model]()
    add_tag_to_post(model)

    assert not moves_moment(row.save)


def test_the_words_of_an_image_and_an_image_that_no_text_shows_keep_the_public_moment() -> None:
    image, before = factories.make_image(), read_revision_number()
    image.width = 1500
    assert not moves_moment(image.save)
    add_tag_to_post(Image)
    image.alt_en = "Other words"
    assert not moves_moment(image.save)
    assert moves_moment(image.delete)
    assert read_revision_number() > before


@STATES
@MODELS
def test_writes_of_hidden_rows_keep_the_public_moment(
    model: type[Model], hidden: dict[str, Any]
) -> None:
    factories.make_team_member()
    make = FACTORIES[model]

    assert not moves_moment(lambda: make(**hidden))
    row = model._default_manager.get()
    assert not moves_moment(prepare_change(row))
    assert not moves_moment(row.delete)
    assert revision.last_public_change(timezone.now()) == LONG_AGO


@STATES
@MODELS
def test_publishing_and_withdrawing_a_row_move_the_public_moment(
    model: type[Model], hidden: dict[str, Any]
) -> None:
    FACTORIES[model](**hidden)
    row = model._default_manager.filter(pk=model._default_manager.get().pk)

    assert moves_moment(lambda: row.update(**factories.SHOWN))
    assert moves_moment(lambda: row.update(publish_at=LONG_AGO)), "another day"
    assert moves_moment(lambda: row.update(**hidden))
    assert not moves_moment(lambda: row.update(publish_at=LATER))


def make_tag_of_post(**hidden: Any) -> Any:
    factories.make_post(**hidden).tags.add(factories.make_tag())
    return Post.tags.through._default_manager.get()


def make_app_of_topic(topic: dict[str, Any], app: dict[str, Any]) -> Model:
    factories.make_topic(**topic).apps.add(factories.make_app(**app))
    return ScienceTopic.apps.through._default_manager.get()


CHILDREN: list[Callable[..., Model]] = [
    lambda **hidden: factories.make_symbol(topic=factories.make_topic(**hidden)),
    lambda **hidden: factories.make_link(entry=factories.make_entry(**hidden)),
    lambda **hidden: factories.make_former_app_slug(factories.make_app(**hidden)),
    lambda **hidden: factories.make_former_post_slug(factories.make_post(**hidden)),
    lambda **hidden: factories.make_former_tag_slug(make_tag_of_post(**hidden).tag),
    make_tag_of_post,
    lambda **hidden: make_tag_of_post(**hidden).tag,
    lambda **hidden: make_app_of_topic(hidden, {}),
    lambda **hidden: make_app_of_topic({}, hidden),
]


@pytest.mark.parametrize("hidden", [{}, *HIDDEN.values()], ids=["visible", *HIDDEN])
@pytest.mark.parametrize("make", CHILDREN)
def test_a_row_that_belongs_to_others_is_public_if_all_of_them_are(
    make: Callable[..., Model], hidden: dict[str, Any]
) -> None:
    row = make(**hidden)
    if not isinstance(row, ScienceTopic.apps.through):
        assert moves_moment(prepare_change(row)) is not bool(hidden)
    assert moves_moment(row.delete) is not bool(hidden)


def test_removing_a_draft_app_from_a_post_keeps_the_public_moment() -> None:
    draft = factories.make_app(slug="draft", state=State.DRAFT)
    shown = factories.make_app(slug="shown")
    factories.make_post(slug="of-a-draft", app=draft)
    factories.make_post(slug="of-an-app", app=shown)

    assert not moves_moment(draft.delete)
    assert moves_moment(shown.delete)


@MODELS
def test_a_scheduled_row_moves_the_last_change_when_it_falls_due(model: type[Model]) -> None:
    factories.make_team_member()
    due = timezone.now() + timedelta(hours=1)
    FACTORIES[model](slug="earlier", publish_at=LONG_AGO)
    row = FACTORIES[model](publish_at=due)
    Revision.objects.update(public_changed_at=LONG_AGO)
    prepare_change(row)()

    assert revision.last_public_change(due - timedelta(seconds=1)) == LONG_AGO
    assert revision.last_public_change(due) == due
    assert revision.last_public_change(due + timedelta(days=9)) == due
    model._default_manager.filter(pk=row.pk).update(state=State.DRAFT, publish_at=due)
    assert revision.last_public_change(due) == LONG_AGO
