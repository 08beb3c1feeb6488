"""What the database does by itself, so that every way of writing does it.

Five families of triggers:

- every write of a content table moves the content revision, and one that changes what readers
  see moves the moment of the public `Last-Modified` (`catalogue.shown`);
- a slug under which readers saw a row is remembered (`catalogue.slug_memory`);
- every insert and update of a post draws it a stamp (`catalogue.stamps`);
- an update that changes the content of an app or a post dates it;
- a write that breaks the promise of an announced sunset is refused (`catalogue.announcements`).

`catalogue.installing` puts them in place and tells whether they are.
"""

from collections.abc import Iterator
from functools import cache

from django.apps import apps
from django.db.models import GeneratedField, Model
from msgspec import Struct

from catalogue import announcements, shown, slug_memory, stamps
from catalogue.models import App, Post, Revision
from catalogue.shown import DIFFERS, EDITED_AT, NOW

EVENTS = ("INSERT", "UPDATE", "DELETE")
# One trigger a statement, which sees the rows that the statement changed, if any.
POSTGRESQL_EVENTS = {
    "INSERT": " REFERENCING NEW TABLE AS changed",
    "UPDATE": " REFERENCING NEW TABLE AS changed",
    "DELETE": " REFERENCING OLD TABLE AS changed",
    "TRUNCATE": "",
}
WRITTEN = ("INSERT", "UPDATE")
DATED = (App, Post)
NOT_CONTENT = frozenset({"state", "publish_at", "position", EDITED_AT})
MOVE_BOTH = """
    INSERT INTO catalogue_revision (id, number, changed_at, public_changed_at)
    VALUES (1, 1, {now}, {public})
    ON CONFLICT (id) DO UPDATE SET number = catalogue_revision.number + 1,
    changed_at = EXCLUDED.changed_at, public_changed_at =
    coalesce(EXCLUDED.public_changed_at, catalogue_revision.public_changed_at);
"""
# Once a statement: a row that is written again and again in a transaction is slow to find.
MOVE_PUBLIC = """
    INSERT INTO catalogue_revision (id, number, changed_at, public_changed_at)
    VALUES (1, 0, {now}, {now})
    ON CONFLICT (id) DO UPDATE SET public_changed_at = EXCLUDED.public_changed_at
    WHERE catalogue_revision.public_changed_at IS DISTINCT FROM EXCLUDED.public_changed_at;
"""


class Trigger(Struct, frozen=True):
    """A trigger of a table, and the statement that makes it, letter for letter as the database
    repeats it. On PostgreSQL it calls a function of its own `body`.
    """

    table: str
    name: str
    create: str
    function: str = ""
    body: str = ""


def content_models() -> list[type[Model]]:
    """Every model of the catalogue but the revision itself, many-to-many tables included."""
    config = apps.get_app_config("catalogue")
    found = config.get_models(include_auto_created=True)
    return sorted(
        (model for model in found if model is not Revision), key=lambda model: model._meta.db_table
    )


def content_tables() -> list[str]:
    return [model._meta.db_table for model in content_models()]


@cache
def triggers(vendor: str) -> tuple[Trigger, ...]:
    """All triggers that the program expects."""
    return tuple({"sqlite": sqlite, "postgresql": postgresql}[vendor]())


def sqlite() -> Iterator[Trigger]:
    now = NOW["sqlite"]
    for model in content_models():
        table = model._meta.db_table
        for event in EVENTS:
            public = f"CASE WHEN {shown.changed(model, event, 'sqlite')} THEN {now} END"
            yield on_sqlite(
                table,
                f"{table}_{event.lower()}_moves_revision",
                f"AFTER {event}",
                MOVE_BOTH.format(now=now, public=public),
            )
    for table, name, event, body in rows_by_themselves("sqlite"):
        yield on_sqlite(table, name, event, body)
    for model in DATED:
        table = model._meta.db_table
        moment = edited(model, "sqlite")
        own = (
            f"UPDATE {table} SET {EDITED_AT} = {moment} "  # noqa: S608
            f"WHERE id = NEW.id AND {EDITED_AT} IS NOT {moment};"
        )
        yield on_sqlite(table, f"{table}_update_dates", content_update(model, "AFTER"), own)


def rows_by_themselves(vendor: str) -> Iterator[tuple[str, str, str, str]]:
    """Triggers that are the same on both databases: table, name, event and body."""
    now = NOW[vendor]
    for slugs in slug_memory.FORMER_SLUGS:
        table, keep = slugs.table, slugs.know()
        again = slugs.remember(now) + slugs.forget(now) + keep
        yield table, f"{table}_insert_forgets", "AFTER INSERT", slugs.forget(now) + keep
        changes = "AFTER UPDATE OF slug, state, publish_at"
        yield table, f"{table}_update_remembers", changes, again
        yield table, f"{table}_delete_loses", "AFTER DELETE", slugs.lose()
    for event in WRITTEN:
        name = f"{stamps.POSTS}_{event.lower()}_stamps"
        yield stamps.POSTS, name, f"AFTER {event}", stamps.draw(vendor)
        version = announcements.TABLE
        body = announcements.refusals(event, vendor)
        yield version, f"{version}_{event.lower()}_keeps_promises", f"AFTER {event}", body


def on_sqlite(table: str, name: str, event: str, body: str) -> Trigger:
    create = f"CREATE TRIGGER {name} {event} ON {table} FOR EACH ROW BEGIN {body} END"
    return Trigger(table, name, create)


def postgresql() -> Iterator[Trigger]:
    now = NOW["postgresql"]
    moved = MOVE_BOTH.format(now=now, public="NULL")
    everything = MOVE_BOTH.format(now=now, public=now)
    move = (
        f"IF TG_OP = 'TRUNCATE' THEN {everything} "
        f"ELSIF EXISTS (SELECT FROM changed) THEN {moved} END IF; RETURN NULL;"
    )
    for model in content_models():
        table = model._meta.db_table
        for event, rows in POSTGRESQL_EVENTS.items():
            name, when = f"{table}_{event.lower()}_moves_revision", f"AFTER {event}"
            each = f"{rows} FOR EACH STATEMENT"
            yield on_postgresql(table, name, when, move, each=each, function=MOVES)
        for event in EVENTS:
            condition = shown.changed(model, event, "postgresql")
            name = f"{table}_{event.lower()}_moves_last_modified"
            body = f"IF {condition} THEN {MOVE_PUBLIC.format(now=now)} END IF; RETURN NULL;"
            yield on_postgresql(table, name, f"AFTER {event}", body)
    for table, name, event, body in rows_by_themselves("postgresql"):
        yield on_postgresql(table, name, event, f"{body} RETURN NULL;")
    for model in DATED:
        table = model._meta.db_table
        own = f"NEW.{EDITED_AT} := {edited(model, 'postgresql')}; RETURN NEW;"
        yield on_postgresql(table, f"{table}_update_dates", content_update(model, "BEFORE"), own)


MOVES = "catalogue_move_revision"


def on_postgresql(
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


def content_update(model: type[Model], when: str) -> str:
    return f"{when} UPDATE OF {', '.join(content_columns(model))}"


def content_columns(model: type[Model]) -> list[str]:
    """The columns of a row whose change is an edit of its page or its answer."""
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation or isinstance(field, GeneratedField))
        and field.column not in NOT_CONTENT
    ]


def edited(model: type[Model], vendor: str) -> str:
    """When the content of an updated row was last edited: a save that changes nothing keeps it."""
    was, new = (
        f"({', '.join(f'{row}.{column}' for column in content_columns(model))})"
        for row in ("OLD", "NEW")
    )
    return f"CASE WHEN {was} {DIFFERS[vendor]} {new} THEN {NOW[vendor]} ELSE OLD.{EDITED_AT} END"
