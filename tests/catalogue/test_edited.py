"""Apps and posts have the moment of their last edit, however they are edited."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core import serializers
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone

from catalogue.models import App, Post, State
from tests import factories
from tests.catalogue import write_operations
from tests.catalogue.every_model import FACTORIES

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

DATED = pytest.mark.parametrize("model", [App, Post], ids=lambda model: model.__name__)
CHANGING = [
    write_operations.save_changed,
    write_operations.queryset_update,
    write_operations.bulk_update,
    write_operations.raw_sql_update,
]
LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)


def is_now(moment: datetime | None) -> bool:
    return moment is not None and abs(timezone.now() - moment) < timedelta(hours=1)


@pytest.mark.parametrize("way", CHANGING, ids=lambda way: way.__name__)
@DATED
def test_every_way_of_editing_dates_the_row(
    model: type[Model], way: Callable[[type[Model], Path], write_operations.Write], tmp_path: Path
) -> None:
    write = way(model, tmp_path)
    before = model._default_manager.get()
    write()
    after = model._default_manager.get()

    assert (before.edited_at, before.changed_at) == (None, factories.PAST)
    assert is_now(after.edited_at)
    assert after.changed_at == after.edited_at


@DATED
def test_a_write_of_another_column_keeps_the_date_of_the_last_edit(model: type[Model]) -> None:
    row = FACTORIES[model]()
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
    stale = FACTORIES[model]()
    model._default_manager.filter(pk=stale.pk).update(slug="renamed")
    edited = model._default_manager.get().edited_at
    stale.slug = "renamed"
    stale.save()

    assert stale.edited_at is None
    assert model._default_manager.get().edited_at == edited is not None


@DATED
def test_an_edit_before_publication_has_the_date_of_publication(model: type[Model]) -> None:
    due = timezone.now() + timedelta(days=1)
    row = FACTORIES[model](publish_at=due)
    row.slug = "renamed"
    row.save()
    row.refresh_from_db()

    assert is_now(row.edited_at)
    assert row.changed_at == due


@DATED
def test_a_restored_row_keeps_its_date_of_the_last_edit(model: type[Model], tmp_path: Path) -> None:
    row = FACTORIES[model]()
    model._default_manager.filter(pk=row.pk).update(slug="renamed")
    row.refresh_from_db()
    file = tmp_path / "rows.json"
    file.write_text(serializers.serialize("json", [row]))
    model._default_manager.all().delete()
    call_command("loaddata", str(file), verbosity=0)

    assert model._default_manager.get().edited_at == row.edited_at.replace(
        microsecond=row.edited_at.microsecond // 1000 * 1000
    )
