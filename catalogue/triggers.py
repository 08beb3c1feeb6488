"""The triggers of the database, because content is not only written by the admin.

Three families of triggers:

- every write of a content table moves the content revision, and one that changes what readers
  see moves the moment of the public `Last-Modified` (`catalogue.visibility_sql`);
- the former slug of a published row is recorded (`catalogue.slug_memory`);
- an update that changes the content of an app or a post sets its `edited_at`.

`catalogue.installing` installs them and checks whether they are installed.
"""

from collections.abc import Iterator
from functools import cache

from django.apps import apps
from django.db.models import GeneratedField, Model
from msgspec import Struct

from catalogue import slug_memory, visibility_sql
from catalogue.models import App, Post, Revision
from catalogue.visibility_sql import DIFFERS, EDITED_AT, NOW

ROW_EVENTS = ("INSERT", "UPDATE", "DELETE")
# A trigger runs once for each statement and sees the rows that the statement changed.
STATEMENT_EVENTS = {
    "INSERT": " REFERENCING NEW TABLE AS changed",
    "UPDATE": " REFERENCING NEW TABLE AS changed",
    "DELETE": " REFERENCING OLD TABLE AS changed",
    "TRUNCATE": "",
}
DATED_MODELS = (App, Post)
COLUMNS_WITHOUT_CONTENT = frozenset({"state", "publish_at", "position", EDITED_AT})
MOVE_REVISION = """
    INSERT INTO catalogue_revision (id, number, changed_at, public_changed_at)
    VALUES (1, 1, {now}, {public})
    ON CONFLICT (id) DO UPDATE SET number = catalogue_revision.number + 1,
    changed_at = EXCLUDED.changed_at, public_changed_at =
    coalesce(EXCLUDED.public_changed_at, catalogue_revision.public_changed_at);
"""
# The row is written at most once in a statement, because PostgreSQL finds a row slowly that was
# written many times in one transaction.
MOVE_LAST_MODIFIED = """
    INSERT INTO catalogue_revision (id, number, changed_at, public_changed_at)
    VALUES (1, 0, {now}, {now})
    ON CONFLICT (id) DO UPDATE SET public_changed_at = EXCLUDED.public_changed_at
    WHERE catalogue_revision.public_changed_at IS DISTINCT FROM EXCLUDED.public_changed_at;
"""


class Trigger(Struct, frozen=True):
    """A trigger of a table, with its statement exactly as the database stores it.

    On PostgreSQL the trigger calls a function with the `body`.
    """

    table: str
    name: str
    create: str
    function: str = ""
    body: str = ""


def content_models() -> list[type[Model]]:
    """Return every model of the catalogue except the revision, including many-to-many tables."""
    config = apps.get_app_config("catalogue")
    models = config.get_models(include_auto_created=True)
    return sorted(
        (model for model in models if model is not Revision), key=lambda model: model._meta.db_table
    )


@cache
def expected_triggers(vendor: str) -> tuple[Trigger, ...]:
    """Return all triggers that the program expects."""
    return tuple({"sqlite": sqlite_triggers, "postgresql": postgresql_triggers}[vendor]())


def sqlite_triggers() -> Iterator[Trigger]:
    now = NOW["sqlite"]
    for model in content_models():
        table = model._meta.db_table
        for event in ROW_EVENTS:
            condition = visibility_sql.changes_public_sql(model, event, "sqlite")
            public = f"CASE WHEN {condition} THEN {now} END"
            yield sqlite_trigger(
                table,
                f"{table}_{event.lower()}_moves_revision",
                f"AFTER {event}",
                MOVE_REVISION.format(now=now, public=public),
            )
    for table, name, event, body in row_triggers("sqlite"):
        yield sqlite_trigger(table, name, event, body)
    for model in DATED_MODELS:
        table = model._meta.db_table
        moment = edited_at_sql(model, "sqlite")
        own = (
            f"UPDATE {table} SET {EDITED_AT} = {moment} "  # noqa: S608
            f"WHERE id = NEW.id AND {EDITED_AT} IS NOT {moment};"
        )
        yield sqlite_trigger(
            table, f"{table}_update_dates", content_update_event(model, "AFTER"), own
        )


def row_triggers(vendor: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the triggers that are the same on both databases: table, name, event and body."""
    now = NOW[vendor]
    for slugs in slug_memory.FORMER_SLUGS:
        table, keep = slugs.table, slugs.record_row()
        again = slugs.remember(now) + slugs.forget(now) + keep
        yield table, f"{table}_insert_forgets", "AFTER INSERT", slugs.forget(now) + keep
        changes = "AFTER UPDATE OF slug, state, publish_at"
        yield table, f"{table}_update_remembers", changes, again
        yield table, f"{table}_delete_loses", "AFTER DELETE", slugs.delete_row()


def sqlite_trigger(table: str, name: str, event: str, body: str) -> Trigger:
    create = f"CREATE TRIGGER {name} {event} ON {table} FOR EACH ROW BEGIN {body} END"
    return Trigger(table, name, create)


def postgresql_triggers() -> Iterator[Trigger]:
    now = NOW["postgresql"]
    moved = MOVE_REVISION.format(now=now, public="NULL")
    everything = MOVE_REVISION.format(now=now, public=now)
    move = (
        f"IF TG_OP = 'TRUNCATE' THEN {everything} "
        f"ELSIF EXISTS (SELECT FROM changed) THEN {moved} END IF; RETURN NULL;"
    )
    for model in content_models():
        table = model._meta.db_table
        for event, rows in STATEMENT_EVENTS.items():
            name, when = f"{table}_{event.lower()}_moves_revision", f"AFTER {event}"
            each = f"{rows} FOR EACH STATEMENT"
            yield postgresql_trigger(table, name, when, move, each=each, function=MOVE_FUNCTION)
        for event in ROW_EVENTS:
            condition = visibility_sql.changes_public_sql(model, event, "postgresql")
            name = f"{table}_{event.lower()}_moves_last_modified"
            body = f"IF {condition} THEN {MOVE_LAST_MODIFIED.format(now=now)} END IF; RETURN NULL;"
            yield postgresql_trigger(table, name, f"AFTER {event}", body)
    for table, name, event, body in row_triggers("postgresql"):
        yield postgresql_trigger(table, name, event, f"{body} RETURN NULL;")
    for model in DATED_MODELS:
        table = model._meta.db_table
        own = f"NEW.{EDITED_AT} := {edited_at_sql(model, 'postgresql')}; RETURN NEW;"
        yield postgresql_trigger(
            table, f"{table}_update_dates", content_update_event(model, "BEFORE"), own
        )


MOVE_FUNCTION = "catalogue_move_revision"


def postgresql_trigger(
    table: str,
    name: str,
    event: str,
    body: str,
    *,
    each: str = " FOR EACH ROW",
    function: str = "",
) -> Trigger:
    called = function or f"{name}_row"
    create = f"CREATE TRIGGER {name} {event} ON {table}{each} EXECUTE FUNCTION {called}()"
    return Trigger(table, name, create, called, f" BEGIN {body} END ")


def content_update_event(model: type[Model], when: str) -> str:
    return f"{when} UPDATE OF {', '.join(content_columns(model))}"


def content_columns(model: type[Model]) -> list[str]:
    """Return the columns of a row whose change is an edit of its page or its API document."""
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation or isinstance(field, GeneratedField))
        and field.column not in COLUMNS_WITHOUT_CONTENT
    ]


def edited_at_sql(model: type[Model], vendor: str) -> str:
    """Return an expression for the moment of the last edit; a save without a change keeps it."""
    was, new = (
        f"({', '.join(f'{row}.{column}' for column in content_columns(model))})"
        for row in ("OLD", "NEW")
    )
    return f"CASE WHEN {was} {DIFFERS[vendor]} {new} THEN {NOW[vendor]} ELSE OLD.{EDITED_AT} END"
