"""Backups: the whole database in one file, accounts and permissions included.

SQLite copies itself by its backup API, which readers and writers do not disturb; PostgreSQL's
`pg_dump`, `pg_restore` and `psql` do the same there. A backup is restored in one transaction: a
restore that fails leaves the database as it was.
Sources: sqlite.org/backup.html; postgresql.org/docs, "pg_dump".
"""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import F
from django.utils import timezone

from catalogue.models import Revision
from site_mirror.snapshot.disks import sync_path

SQLITE_SIGNATURE, POSTGRESQL_SIGNATURE = b"SQLite format 3\0", b"PGDMP"
"""The first bytes of a backup of each database."""

DROP_TABLES = """
DO $$ DECLARE found text; BEGIN
  FOR found IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname = current_schema()
  LOOP EXECUTE 'DROP TABLE IF EXISTS ' || found || ' CASCADE'; END LOOP;
END $$
"""
"""SQL that drops all tables: a backup of an older program would leave those of a newer one."""

MIGRATIONS_COPY = "COPY public.django_migrations "
"""The beginning of the line before the rows of Django's table of migrations in a backup."""

ADDRESS_PARAMETERS = {"dbname", "user", "host", "port"}
"""Parameters of a connection, without its password and its options."""

Migration = tuple[str, str]


class BackupError(Exception):
    """A backup that cannot be written, read or restored; the text is a sentence."""


def write_backup(file: Path) -> int:
    """Write a backup that only its owner may read; return its size in bytes.

    The file is complete or is not created. Raises `BackupError`.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        {"sqlite": copy_sqlite, "postgresql": dump_postgresql}[connection.vendor](part)
        sync_path(part)
        part.replace(file)
        sync_path(file.parent)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return file.stat().st_size


def restore_backup(file: Path) -> None:
    """Replace the whole database by a backup. Raises `BackupError`."""
    try:
        with file.open("rb") as backup:
            kind = backup.read(len(SQLITE_SIGNATURE))
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}.") from error
    connection.close()
    if connection.vendor == "sqlite" and kind == SQLITE_SIGNATURE:
        restore_sqlite(file)
    elif connection.vendor == "postgresql" and kind.startswith(POSTGRESQL_SIGNATURE):
        restore_postgresql(file)
    else:
        raise BackupError(f"{file} is not a backup of a {connection.display_name} database.")


def move_revision() -> None:
    """Move the content revision, because readers may have seen newer content than the backup's."""
    Revision.objects.update(number=F("number") + 1, changed_at=timezone.now())


def copy_sqlite(file: Path) -> None:
    connection.ensure_connection()
    with open_sqlite(file) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode = delete")
        refuse_damaged_database(copy, file)


def restore_sqlite(file: Path) -> None:
    with open_sqlite(file) as backup:
        refuse_damaged_database(backup, file)
        refuse_newer(set(backup.execute("SELECT app, name FROM django_migrations")), file)
        connection.ensure_connection()
        try:
            backup.backup(connection.connection)
        except sqlite3.Error as error:
            raise BackupError(f"The database cannot be replaced: {error}.") from error
    connection.close()


@contextmanager
def open_sqlite(file: Path) -> Iterator[sqlite3.Connection]:
    """Open an SQLite file with the SQL functions that the constraints of this project call."""
    parameters = connection.get_connection_params() | {"database": str(file)}
    try:
        with closing(connection.get_new_connection(parameters)) as opened:
            yield opened
    except (sqlite3.Error, DatabaseError) as error:
        raise BackupError(f"{file} is not a whole SQLite database: {error}.") from error


def refuse_damaged_database(copy: sqlite3.Connection, file: Path) -> None:
    [(result,), *_] = copy.execute("PRAGMA integrity_check").fetchall()
    if result != "ok":
        raise BackupError(f"{file} is damaged: {result}.")


def refuse_newer(applied: set[Migration], file: Path) -> None:
    """Raise `BackupError` for migrations that this program does not have and so cannot undo."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    newer = sorted(
        f"{app}.{name}"
        for app, name in applied
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    )
    if newer:
        raise BackupError(
            f"{file} is of a newer version of the program: this one lacks {', '.join(newer)}."
        )


def dump_postgresql(file: Path) -> None:
    words = ("--format", "custom", "--no-owner", "--no-privileges", "--file", str(file))
    run_postgresql("pg_dump", *words, *database_option())


def restore_postgresql(file: Path) -> None:
    with TemporaryFile() as script:
        words = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--file", "-")
        run_postgresql("pg_restore", *words, str(file), stdout=script)
        refuse_newer(set(migrations_in(script)), file)
        script.seek(0)
        strict = ("--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction")
        replace = ("--command", DROP_TABLES, "--file", "-", "--output", os.devnull)
        run_postgresql("psql", *strict, *replace, *database_option(), stdin=script)


def migrations_in(script: IO[bytes]) -> Iterator[Migration]:
    """Yield the rows of Django's table of migrations in the script of a backup."""
    script.seek(0)
    for line in script:
        if line.startswith(MIGRATIONS_COPY.encode()):
            break
    for line in script:
        if line.startswith(b"\\."):
            return
        _, app, name, _ = line.decode().split("\t")
        yield app, name


def database_option() -> tuple[str, str]:
    """The option that names the database of the settings, without its password."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415  (only for PostgreSQL)

    parameters = connection.get_connection_params()
    options = {
        name
        for name, value in connection.settings_dict["OPTIONS"].items()
        if isinstance(value, str | int)
    }
    return "--dbname", make_conninfo(
        **{name: parameters[name] for name in ADDRESS_PARAMETERS | options if name in parameters}
    )


def run_postgresql(program: str, *words: str, **streams: Any) -> None:
    """Run one of PostgreSQL's programs. Raises `BackupError` with its error output."""
    password = connection.get_connection_params().get("password")
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    try:
        process = subprocess.run(  # noqa: S603  (fixed arguments)
            [program, *words],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            **streams,
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"{program} is missing. Install PostgreSQL's client (postgresql-client on Debian)."
        ) from error
    if process.returncode:
        raise BackupError(f"{program} failed: {' '.join(process.stderr.split())}")
