"""Every migration runs both ways, and a killed one is noticed and loses no edit."""

import itertools
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from catalogue import installing, shipped
from catalogue.triggers import content_models
from tests.catalogue import killed_migrations

pytestmark = pytest.mark.postgresql

LATEST, FIRST, ZERO = "", "0001", "zero"
REVISION = "SELECT coalesce(max(number), 0) FROM catalogue_revision"
SLUG, RENAMED = "breathing-at-six-per-minute", "renamed-meanwhile"

FORMER = f"SELECT count(*) FROM catalogue_formerpostslug WHERE slug = '{SLUG}'"  # noqa: S608


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> killed_migrations.Databases:
    return killed_migrations.Databases(tmp_path_factory.mktemp("killed"))


@pytest.fixture(scope="module")
def latest(
    databases: killed_migrations.Databases, django_db_setup: None, django_db_blocker: Any
) -> Iterator[str]:
    """A migrated database with the shipped content. Copy it before you write."""
    with django_db_blocker.unblock():
        name = databases.empty()
        assert killed_migrations.run_in_process(fill_database, name) == 0
        yield name
        databases.drop(name)


def fill_database() -> None:
    call_command("migrate", verbosity=0)
    shipped.load_fixtures()


def write_rows(file: Path) -> None:
    """Write every row of the catalogue and the faults of the triggers to a file."""
    rows = {
        model._meta.label: sorted(
            map(repr, model._base_manager.values_list(*list_compared_columns(model)))
        )
        for model in content_models()
    }
    file.write_text(json.dumps([rows, installing.find_trigger_faults(connection)]))


def list_compared_columns(model: Any) -> list[str]:
    """Return the columns except keys, which are not restored."""
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation) and field.attname != "edited_at"
    ]


@pytest.mark.parametrize("target", [ZERO, FIRST])
def test_every_migration_runs_backwards_and_forwards_again(
    target: str, latest: str, databases: killed_migrations.Databases, tmp_path: Path
) -> None:
    with databases.copy(latest) as name:
        assert killed_migrations.run_in_process(write_rows, name, tmp_path / "before") == 0
        assert killed_migrations.run_in_process(killed_migrations.migrate, name, target, 0) == 0
        assert killed_migrations.run_in_process(killed_migrations.migrate, name, LATEST, 0) == 0
        assert killed_migrations.run_in_process(write_rows, name, tmp_path / "after") == 0

    (before, _), (after, faults) = (
        json.loads((tmp_path / file).read_text()) for file in ("before", "after")
    )
    assert faults == []
    if target == ZERO:
        assert not any(after.values())
    else:
        assert after == before


WAYS = {
    "forwards with few kills": (FIRST, LATEST, 24),
    "forwards": (FIRST, LATEST, 1),
    "backwards": (LATEST, FIRST, 1),
    "forwards without content": (ZERO, LATEST, 12),
}
"""The first and the last migration, and the number of steps between two kills."""

KILLED_OFTEN = pytest.mark.exhaustive("kills a migrate at some 220 statements")


@pytest.fixture(
    params=[
        pytest.param(name, marks=() if name == "forwards with few kills" else KILLED_OFTEN)
        for name in WAYS
    ]
)
def way(
    request: pytest.FixtureRequest, latest: str, databases: killed_migrations.Databases
) -> Iterator[tuple[str, str, int]]:
    """A database, the target of a migrate, and the number of steps between two kills."""
    with databases.copy(latest) as name:
        begin, end, pace = WAYS[request.param]
        assert killed_migrations.run_in_process(killed_migrations.migrate, name, begin, 0) == 0
        yield name, end, pace


def test_a_migrate_that_is_killed_at_any_statement_loses_no_edit(
    way: tuple[str, str, int], databases: killed_migrations.Databases, tmp_path: Path
) -> None:
    original, target, pace = way
    states = set()
    for step in itertools.count(1, pace):
        with databases.copy(original) as name:
            if (
                killed_migrations.run_in_process(killed_migrations.migrate, name, target, step)
                != -signal.SIGKILL
            ):
                break
            assert killed_migrations.run_in_process(write_migrations, name, tmp_path / "state") == 0
            state = (tmp_path / "state").read_text()
            if state not in states:
                assert (
                    killed_migrations.run_in_process(edit_and_migrate, name, tmp_path / "seen") == 0
                )
                seen = json.loads((tmp_path / "seen").read_text())
                assert seen["moved"] or seen["noticed"] or seen["refused"], step
                former = seen["after"].pop("former")
                assert former or seen["noticed"], step
                assert seen["after"] == {"faults": [], "moved": True}, step
            states.add(state)

    assert step > pace
    assert len(states) > 1


def write_migrations(file: Path) -> None:
    """Write the applied migrations and the existing triggers to a file."""
    applied = sorted(map(str, MigrationRecorder(connection).applied_migrations()))
    file.write_text(repr((applied, sorted(map(repr, installing.read_triggers(connection))))))


def edit_and_migrate(file: Path) -> None:
    """Rename an article by SQL if it exists, and then migrate to the end."""
    number, refused, renamed = read_number(REVISION), False, False
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE catalogue_post SET slug = %s WHERE slug = %s", [RENAMED, SLUG])
            renamed = bool(cursor.rowcount)
    except DatabaseError:
        refused = True
    report = {
        "moved": not renamed or read_number(REVISION) > number,
        "noticed": bool(installing.find_trigger_faults(connection)),
        "refused": refused,
    }
    call_command("migrate", verbosity=0)
    report["after"] = {
        "faults": installing.find_trigger_faults(connection),
        "moved": not renamed or read_number(REVISION) > number,
        "former": not renamed or read_number(FORMER) == 1,
    }
    file.write_text(json.dumps(report))


def read_number(question: str) -> int:
    """Return a number of the catalogue; 0 while it has no tables."""
    if "catalogue_revision" not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(question)
        return int(cursor.fetchone()[0])
