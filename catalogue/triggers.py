"""What the database does by itself, so that no way of writing can forget it.

Three families of triggers, put in place after every `migrate` (rebuilding a table on SQLite
drops its triggers):

- every insert, update and delete on a content table moves the content revision;
- a slug under which readers saw a row is remembered when the row is renamed or withdrawn, and
  forgotten when they see a row under it again;
- every insert and update of a post draws it a stamp (`catalogue.stamps`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from msgspec import Struct

from catalogue import stamps

NOW = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now')",
    "postgresql": "statement_timestamp()",
}
# One trigger a statement, which sees the rows that the statement changed, if any.
POSTGRESQL_EVENTS = {
    "INSERT": "REFERENCING NEW TABLE AS changed",
    "UPDATE": "REFERENCING NEW TABLE AS changed",
    "DELETE": "REFERENCING OLD TABLE AS changed",
    "TRUNCATE": "",
}
STAMPED = ("INSERT", "UPDATE")
STAMPING = {
    "sqlite": "SELECT count(*) FROM sqlite_master "
    "WHERE type = 'trigger' AND name LIKE 'catalogue_post_%_stamps'",
    "postgresql": "SELECT count(*) FROM pg_trigger "
    "WHERE tgrelid = 'catalogue_post'::regclass AND tgname LIKE 'catalogue_post_%_stamps'",
}
MOVE_REVISION = """
    INSERT INTO catalogue_revision (id, number, changed_at) VALUES (1, 1, {now})
    ON CONFLICT (id) DO UPDATE SET number = catalogue_revision.number + 1, changed_at = {now};
"""


def seen(row: str, now: str) -> str:
    """Whether readers see a row: `catalogue.models.workflow.visible`, as the database says it."""
    return f"({row}.state = 'published' AND {row}.publish_at <= {now})"


class FormerSlugs(Struct, frozen=True):
    """A table whose rows have slugs, and the table that remembers the old ones."""

    table: str
    memory: str
    owner: str

    def forget(self, now: str) -> str:
        """A slug under which readers see a row is nobody's former slug."""
        return f"""
    DELETE FROM {self.memory} WHERE slug = NEW.slug AND {seen("NEW", now)};
"""  # noqa: S608  (our own names)

    def remember(self, now: str) -> str:
        """The slug under which readers saw a row that is renamed, or withdrawn and perhaps
        renamed before they see it again. Only what they saw was ever an address.
        """
        return f"""
    INSERT INTO {self.memory} (slug, {self.owner})
    SELECT OLD.slug, OLD.id
    WHERE {seen("OLD", now)} AND (OLD.slug <> NEW.slug OR NOT {seen("NEW", now)})
    ON CONFLICT (slug) DO UPDATE SET {self.owner} = EXCLUDED.{self.owner};
"""


FORMER_SLUGS = (
    FormerSlugs("catalogue_app", "catalogue_formerappslug", "app_id"),
    FormerSlugs("catalogue_post", "catalogue_formerpostslug", "post_id"),
)


def content_tables() -> list[str]:
    """Every table of the catalogue but the revision itself, many-to-many tables included."""
    config = apps.get_app_config("catalogue")
    return sorted(
        model._meta.db_table
        for model in config.get_models(include_auto_created=True)
        if model._meta.db_table != "catalogue_revision"
    )


def install(sender: AppConfig, using: str, plan: Sequence[Any] = (), **context: Any) -> None:
    """Put the triggers in place; safe to run again.

    Stamps are drawn anew where a migration, or anybody while there was no trigger, may have
    rewritten posts.
    """
    connection = connections[using]
    if "catalogue_formerpostslug" not in connection.introspection.table_names():
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        anew = bool(plan) or not stamping(connection)
        for statement in (*statements(connection), *stamps.table(connection.vendor, anew=anew)):
            cursor.execute(statement)


def stamping(connection: BaseDatabaseWrapper) -> bool:
    """Whether every write of a post draws a stamp."""
    with connection.cursor() as cursor:
        cursor.execute(STAMPING[connection.vendor])
        return bool(cursor.fetchone()[0] == len(STAMPED))


def remove(sender: AppConfig, using: str, plan: list[Any], **context: Any) -> None:
    """Take SQLite's triggers away while a migration rebuilds tables.

    It refuses to rename a table into a name that a trigger waits for.
    Source: sqlite.org/lang_altertable.html, "ALTER TABLE RENAME".
    """
    connection = connections[using]
    if connection.vendor != "sqlite" or not plan:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in cursor.fetchall():
            if name.startswith("catalogue_"):
                cursor.execute(f"DROP TRIGGER {name}")


def statements(connection: BaseDatabaseWrapper) -> Iterator[str]:
    vendor = {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]
    return vendor()


def sqlite() -> Iterator[str]:
    now = NOW["sqlite"]
    for table in content_tables():
        for event in ("INSERT", "UPDATE", "DELETE"):
            yield from sqlite_trigger(
                f"{table}_{event.lower()}_moves_revision",
                f"{event} ON {table}",
                MOVE_REVISION.format(now=now),
            )
    for slugs in FORMER_SLUGS:
        yield from sqlite_trigger(
            f"{slugs.table}_insert_forgets", f"INSERT ON {slugs.table}", slugs.forget(now)
        )
        yield from sqlite_trigger(
            f"{slugs.table}_update_remembers",
            f"UPDATE OF slug, state, publish_at ON {slugs.table}",
            slugs.remember(now) + slugs.forget(now),
        )
    for event in STAMPED:
        yield from sqlite_trigger(
            f"{stamps.POSTS}_{event.lower()}_stamps",
            f"{event} ON {stamps.POSTS}",
            stamps.draw("sqlite"),
        )


def sqlite_trigger(name: str, event: str, body: str) -> Iterator[str]:
    yield f"DROP TRIGGER IF EXISTS {name}"
    yield f"CREATE TRIGGER {name} AFTER {event} FOR EACH ROW BEGIN {body} END"


def postgresql() -> Iterator[str]:
    now = NOW["postgresql"]
    move = MOVE_REVISION.format(now=now)
    yield postgresql_function(
        "catalogue_move_revision",
        f"IF TG_OP = 'TRUNCATE' THEN {move} ELSIF EXISTS (SELECT FROM changed) THEN {move} END IF;",
    )
    for table in content_tables():
        for event, rows in POSTGRESQL_EVENTS.items():
            yield postgresql_trigger(
                f"{table}_{event.lower()}_moves_revision",
                f"{event} ON {table} {rows} FOR EACH STATEMENT",
                "catalogue_move_revision",
            )
    for slugs in FORMER_SLUGS:
        yield postgresql_function(f"{slugs.memory}_forget", slugs.forget(now))
        yield postgresql_function(
            f"{slugs.memory}_remember", slugs.remember(now) + slugs.forget(now)
        )
        yield postgresql_trigger(
            f"{slugs.table}_insert_forgets",
            f"INSERT ON {slugs.table} FOR EACH ROW",
            f"{slugs.memory}_forget",
        )
        yield postgresql_trigger(
            f"{slugs.table}_update_remembers",
            f"UPDATE OF slug, state, publish_at ON {slugs.table} FOR EACH ROW",
            f"{slugs.memory}_remember",
        )
    yield postgresql_function("catalogue_stamp_post", stamps.draw("postgresql"))
    for event in STAMPED:
        yield postgresql_trigger(
            f"{stamps.POSTS}_{event.lower()}_stamps",
            f"{event} ON {stamps.POSTS} FOR EACH ROW",
            "catalogue_stamp_post",
        )


def postgresql_function(name: str, body: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {body} RETURN NULL; END $$"
    )


def postgresql_trigger(name: str, event: str, function: str) -> str:
    return f"CREATE OR REPLACE TRIGGER {name} AFTER {event} EXECUTE FUNCTION {function}()"
