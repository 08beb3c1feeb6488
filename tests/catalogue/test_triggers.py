from pathlib import Path

import pytest
from django.apps import apps
from django.core.management.sql import emit_pre_migrate_signal
from django.db import connection
from django.db.models import Model, TextField

from catalogue import installing
from catalogue.models import Revision, TeamMember
from tests.catalogue.every_model import list_content_tables, list_tables
from tests.catalogue.migration_runner import migrate_with
from tests.catalogue.write_operations import moves_revision, queryset_update
from tests.factories import (
    make_team_member,
)

pytestmark = pytest.mark.postgresql


def list_triggers() -> list[str]:
    question = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname || ':' || tgrelid::regclass FROM pg_trigger "
        "WHERE NOT tgisinternal",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        return sorted(name for (name,) in cursor.fetchall())


def install_triggers() -> None:
    installing.install_triggers(apps.get_app_config("catalogue"), connection.alias)


@pytest.mark.django_db
def test_installing_the_triggers_again_changes_nothing() -> None:
    before = list_triggers()
    install_triggers()
    install_triggers()

    assert list_triggers() == before
    assert moves_revision(make_team_member)


@pytest.mark.django_db
def test_every_content_table_has_triggers_and_the_revision_has_none() -> None:
    names = " ".join(list_triggers())

    assert {model for model in list_tables() if f"{model._meta.db_table}_" in names} >= set(
        list_content_tables()
    )
    assert "catalogue_revision_" not in names


def rebuild_table(model: type[Model]) -> None:
    """Add a column and remove it again, as two migrations do."""
    column = TextField(default="")
    column.set_attributes_from_name("passing")
    column.model = model
    with connection.schema_editor() as editor:
        editor.add_field(model, column)
    with connection.schema_editor() as editor:
        if connection.vendor == "sqlite":
            editor._remake_table(model)
        else:
            editor.remove_field(model, column)


@pytest.mark.parametrize(
    "model", [*list_content_tables(), Revision], ids=lambda model: model.__name__
)
@pytest.mark.django_db(transaction=True)
def test_every_table_can_be_rebuilt_by_a_migration_and_the_triggers_come_back(
    model: type[Model], tmp_path: Path
) -> None:
    before = list_triggers()
    migrate_with(lambda: rebuild_table(model))

    assert list_triggers() == before
    assert moves_revision(queryset_update(TeamMember if model is Revision else model, tmp_path))


@pytest.mark.django_db(transaction=True)
def test_installing_the_triggers_brings_back_those_of_a_rebuilt_table(tmp_path: Path) -> None:
    before = list_triggers()
    rebuild_table(TeamMember)
    install_triggers()

    assert list_triggers() == before
    assert moves_revision(queryset_update(TeamMember, tmp_path))


def test_a_migrate_with_nothing_to_do_leaves_the_triggers_in_place(db: None) -> None:
    before = list_triggers()

    emit_pre_migrate_signal(verbosity=0, interactive=False, db=connection.alias, plan=[])

    assert list_triggers() == before != []
