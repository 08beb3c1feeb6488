"""Apps and posts tell when their content was last edited, whatever edits it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core import serializers
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone

from catalogue import shipped
from catalogue.models import App, Post, Revision, State
from tests import rows
from tests.catalogue import ways
from tests.catalogue.makers import MAKERS

pytestmark = pytest.mark.django_db

DATED = pytest.mark.parametrize("model", [App, Post], ids=lambda model: model.__name__)
CHANGING = [ways.save_of_changed, ways.queryset_update, ways.bulk_update, ways.raw_sql_update]
LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)


def is_now(moment: datetime | None) -> bool:
    return moment is not None and abs(timezone.now() - moment) < timedelta(minutes=1)


@pytest.mark.parametrize("way", CHANGING, ids=lambda way: way.__name__)
@DATED
def test_every_way_of_editing_dates_the_row(
    model: type[Model], way: Callable[[type[Model], Path], ways.Write], tmp_path: Path
) -> None:
    write = way(model, tmp_path)
    before = model._default_manager.get()
    write()
    after = model._default_manager.get()

    assert (before.edited_at, before.changed_at) == (None, rows.PAST)
    assert is_now(after.edited_at)
    assert after.changed_at == after.edited_at


@DATED
def test_what_is_not_content_dates_nothing(model: type[Model]) -> None:
    row = MAKERS[model]()
    row.save()
    row.state = State.DRAFT
    row.save()
    row.state, row.publish_at = State.PUBLISHED, LONG_AGO
    row.save()
    App.objects.update(position=7)

    assert model._default_manager.get().edited_at is None
    assert model._default_manager.get().changed_at == LONG_AGO


@DATED
def test_a_save_that_changes_nothing_keeps_the_moment_of_the_last_edit(model: type[Model]) -> None:
    stale = MAKERS[model]()
    model._default_manager.filter(pk=stale.pk).update(slug="renamed")
    edited = model._default_manager.get().edited_at
    stale.slug = "renamed"
    stale.save()

    assert stale.edited_at is None
    assert model._default_manager.get().edited_at == edited is not None


@DATED
def test_an_edit_before_publication_is_as_old_as_the_publication(model: type[Model]) -> None:
    due = timezone.now() + timedelta(days=1)
    row = MAKERS[model](publish_at=due)
    row.slug = "renamed"
    row.save()
    row.refresh_from_db()

    assert is_now(row.edited_at)
    assert row.changed_at == due


@DATED
def test_a_restored_row_was_edited_when_it_was(model: type[Model], tmp_path: Path) -> None:
    row = MAKERS[model]()
    model._default_manager.filter(pk=row.pk).update(slug="renamed")
    row.refresh_from_db()
    file = tmp_path / "rows.json"
    file.write_text(serializers.serialize("json", [row]))
    model._default_manager.all().delete()
    call_command("loaddata", str(file), verbosity=0)

    assert model._default_manager.get().edited_at == row.edited_at.replace(
        microsecond=row.edited_at.microsecond // 1000 * 1000
    )


def test_the_shipped_content_was_not_edited_however_often_it_is_loaded() -> None:
    shipped.load()
    Revision.objects.update(public_changed_at=LONG_AGO)
    call_command("loaddata", *map(str, shipped.files()), verbosity=0)

    assert not App.objects.exclude(edited_at=None).exists()
    assert not Post.objects.exclude(edited_at=None).exists()
    assert Revision.objects.get().public_changed_at == LONG_AGO
