"""Every migration runs both ways, and one that is killed leaves nothing behind unnoticed."""

import itertools
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from catalogue import installing, shipped
from catalogue.triggers import content_models
from tests.catalogue import killed

LATEST, FIRST, ZERO = "", "0001", "zero"
SLUG, RENAMED = "breathing-at-six-per-minute", "renamed-meanwhile"
NAMES = sorted(name for app, name in MigrationLoader(None).disk_migrations if app == "catalogue")


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> killed.Databases:
    return killed.Databases(tmp_path_factory.mktemp("killed"))


@pytest.fixture(scope="module")
def latest(
    databases: killed.Databases, django_db_setup: None, django_db_blocker: Any
) -> Iterator[str]:
    """A database with the shipped content, as this program has it. Copy it."""
    with django_db_blocker.unblock():
        name = databases.empty()
        assert killed.in_a_process(fill, name) == 0
        yield name
        databases.drop(name)


def fill() -> None:
    call_command("migrate", verbosity=0)
    shipped.load()


def tell(file: Path) -> None:
    """Write down every row of the catalogue and what is wrong with the triggers."""
    rows = {
        model._meta.label: sorted(map(repr, model._base_manager.values_list(*texts(model))))
        for model in content_models()
    }
    file.write_text(json.dumps([rows, installing.faults(connection)]))


def texts(model: Any) -> list[str]:
    """Columns but for keys, which are drawn anew."""
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation) and field.attname != "edited_at"
    ]


@pytest.mark.parametrize("target", [*NAMES, ZERO])
def test_every_migration_runs_backwards_and_forwards_again(
    target: str, latest: str, databases: killed.Databases, tmp_path: Path
) -> None:
    with databases.copy(latest) as name:
        assert killed.in_a_process(tell, name, tmp_path / "before") == 0
        assert killed.in_a_process(killed.migrate, name, target, 0) == 0
        assert killed.in_a_process(killed.migrate, name, LATEST, 0) == 0
        assert killed.in_a_process(tell, name, tmp_path / "after") == 0

    (before, _), (after, faults) = (
        json.loads((tmp_path / file).read_text()) for file in ("before", "after")
    )
    assert faults == []
    if target == ZERO:
        assert not any(after.values())
    else:
        assert after == before


@pytest.fixture(params=["backwards", "forwards", "forwards without content"])
def way(
    request: pytest.FixtureRequest, latest: str, databases: killed.Databases
) -> Iterator[tuple[str, str, int]]:
    """A database, where it is migrated to, and how many steps there are between two kills."""
    with databases.copy(latest) as name:
        begin, end, pace = {
            "backwards": (LATEST, FIRST, 1),
            "forwards": (FIRST, LATEST, 1),
            "forwards without content": (ZERO, LATEST, 12),
        }[request.param]
        assert killed.in_a_process(killed.migrate, name, begin, 0) == 0
        yield name, end, pace


def test_a_migrate_that_is_killed_at_any_statement_loses_no_edit(
    way: tuple[str, str, int], databases: killed.Databases, tmp_path: Path
) -> None:
    original, target, pace = way
    states = set()
    for step in itertools.count(1, pace):
        with databases.copy(original) as name:
            if killed.in_a_process(killed.migrate, name, target, step) != -signal.SIGKILL:
                break
            assert killed.in_a_process(note, name, tmp_path / "state") == 0
            state = (tmp_path / "state").read_text()
            if state not in states:
                assert killed.in_a_process(edit_and_migrate, name, tmp_path / "seen") == 0
                seen = json.loads((tmp_path / "seen").read_text())
                assert seen["moved"] or seen["noticed"] or seen["refused"], step
                assert seen["after"] == {"faults": [], "moved": True, "former": True}, step
            states.add(state)

    assert step > pace
    assert len(states) > 1


def note(file: Path) -> None:
    """Write down the migrations that are recorded and the triggers that are there."""
    applied = sorted(map(str, MigrationRecorder(connection).applied_migrations()))
    file.write_text(repr((applied, sorted(map(repr, installing.found(connection))))))


def edit_and_migrate(file: Path) -> None:
    """Rename an article by SQL, as far as there is one, and then migrate to the end."""
    there = "catalogue_revision" in connection.introspection.table_names()
    number, refused = (revision() if there else 0), False
    try:
        with transaction.atomic():
            renamed = there and bool(changed("UPDATE catalogue_post SET slug = %s WHERE slug = %s"))
    except DatabaseError:
        refused, renamed = True, False
    told = {
        "moved": there and (not renamed or revision() > number),
        "noticed": bool(installing.faults(connection)),
        "refused": refused,
    }
    call_command("migrate", verbosity=0)
    told["after"] = {
        "faults": installing.faults(connection),
        "moved": not renamed or revision() > number,
        "former": not renamed or bool(former()),
    }
    file.write_text(json.dumps(told))


def revision() -> int:
    return int(asked("SELECT coalesce(max(number), 0) FROM catalogue_revision"))


def former() -> int:
    return int(asked(f"SELECT count(*) FROM catalogue_formerpostslug WHERE slug = '{SLUG}'"))  # noqa: S608


def asked(question: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


def changed(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, [RENAMED, SLUG])
        return int(cursor.rowcount)
