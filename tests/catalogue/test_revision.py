from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from catalogue import revision
from catalogue.models import Post, Revision, TeamMember
from tests.catalogue.every_model import CHANGES, FACTORIES, list_content_tables
from tests.catalogue.write_operations import (
    Write,
    bulk_create,
    bulk_update,
    delete,
    loaddata,
    moves_revision,
    queryset_delete,
    queryset_update,
    raw_sql_update,
    save_changed,
    save_new,
)
from tests.factories import (
    make_app,
    make_link,
    make_post,
    make_tag,
    make_team_member,
    make_topic,
    make_version,
)
from tests.revisions import read_revision_number

pytestmark = pytest.mark.postgresql

CONTENT = pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)


WAYS = pytest.mark.parametrize(
    "way",
    [
        save_new,
        save_changed,
        delete,
        queryset_update,
        bulk_create,
        bulk_update,
        queryset_delete,
        loaddata,
        raw_sql_update,
    ],
    ids=lambda way: way.__name__,
)


def make_post_with_a_tag() -> tuple[Any, Any]:
    post, tag = make_post(), make_tag()
    post.tags.add(tag)
    return post.tags, tag


def make_topic_with_an_app() -> tuple[Any, Any]:
    topic, app = make_topic(), make_app()
    topic.apps.add(app)
    return topic.apps, app


RELATIONS = pytest.mark.parametrize("related", [make_post_with_a_tag, make_topic_with_an_app])


class RolledBack(Exception):
    """Raised to roll back a transaction."""


def roll_back(write: Write) -> None:
    with pytest.raises(RolledBack), transaction.atomic():
        write()
        raise RolledBack


@WAYS
@CONTENT
@pytest.mark.django_db
def test_every_way_of_writing_moves_the_revision(
    model: type[Model], way: Callable[[type[Model], Path], Write], tmp_path: Path
) -> None:
    assert moves_revision(way(model, tmp_path))


@WAYS
@CONTENT
@pytest.mark.django_db
def test_a_change_rolled_back_to_a_savepoint_keeps_the_revision(
    model: type[Model], way: Callable[[type[Model], Path], Write], tmp_path: Path
) -> None:
    write = way(model, tmp_path)

    assert not moves_revision(lambda: roll_back(write))


@CONTENT
@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_transaction_does_not_move_the_revision(
    model: type[Model], tmp_path: Path
) -> None:
    write = queryset_update(model, tmp_path)

    assert not moves_revision(lambda: roll_back(write))
    assert moves_revision(write)


@RELATIONS
@pytest.mark.parametrize(
    "write",
    [
        lambda related, row: related.remove(row),
        lambda related, row: related.set([]),
        lambda related, row: related.clear(),
    ],
    ids=["remove", "set", "clear"],
)
@pytest.mark.django_db
def test_taking_a_row_out_of_a_relation_moves_the_revision(
    related: Callable[[], tuple[Any, Any]], write: Callable[[Any, Any], None]
) -> None:
    relation, row = related()

    assert moves_revision(lambda: write(relation, row))


@RELATIONS
@pytest.mark.parametrize(
    "write",
    [lambda related, row: related.add(row), lambda related, row: related.set([row])],
    ids=["add", "set"],
)
@pytest.mark.django_db
def test_putting_a_row_into_a_relation_moves_the_revision(
    related: Callable[[], tuple[Any, Any]], write: Callable[[Any, Any], None]
) -> None:
    relation, row = related()
    relation.clear()

    assert moves_revision(lambda: write(relation, row))


@pytest.mark.django_db
def test_reading_does_not_move_the_revision() -> None:
    make_post()

    assert not moves_revision(lambda: list(Post.objects.all()))


@CONTENT
@pytest.mark.django_db
def test_a_statement_that_finds_no_row_does_not_move_the_revision(model: type[Model]) -> None:
    FACTORIES[model]()
    nothing = model._default_manager.filter(pk=30_000)
    field, value = CHANGES[model]
    new = value()

    assert not moves_revision(lambda: nothing.update(**{field: new}))
    assert not moves_revision(lambda: nothing._raw_delete(nothing.db))


@pytest.mark.django_db
def test_rows_of_other_apps_do_not_move_the_revision() -> None:
    make_team_member()

    def write() -> None:
        user = get_user_model().objects.create_user("an-editor")
        user.first_name = "Linh"
        user.save()
        user.delete()

    assert not moves_revision(write)


@pytest.mark.django_db
def test_an_empty_database_has_revision_zero() -> None:
    Revision.objects.all().delete()

    assert read_revision_number() == 0
    assert revision.last_public_change(timezone.now()) == revision.BEFORE_ANY_CHANGE


@pytest.mark.django_db
def test_the_first_row_moves_the_revision() -> None:
    Revision.objects.all().delete()
    make_team_member()

    assert read_revision_number() > 0


@pytest.mark.django_db
def test_a_delete_of_everything_moves_the_revision_and_so_does_the_next_row() -> None:
    for make in (make_post_with_a_tag, make_topic_with_an_app, make_link, make_version):
        make()

    def empty() -> None:
        for model in list_content_tables():
            model._default_manager.all().delete()

    assert moves_revision(empty)
    assert moves_revision(make_team_member)


@pytest.mark.django_db(transaction=True)
def test_the_revision_moves_after_a_flush_of_the_database() -> None:
    make_team_member()
    call_command("flush", interactive=False, verbosity=0)

    assert not TeamMember.objects.exists()
    assert moves_revision(make_team_member)
