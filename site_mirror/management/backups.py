"""Backups: the whole database in one file, accounts and permissions included.

SQLite's `VACUUM INTO` and PostgreSQL's `pg_dump` copy what is committed while editors go on. A
restore is one transaction: if it fails, the database is as it was.
"""

import os
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from site_mirror.snapshot.disks import sync_path

DROP_TABLES = """
DO $$ DECLARE found text; BEGIN
  FOR found IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname = current_schema()
  LOOP EXECUTE 'DROP TABLE IF EXISTS ' || found || ' CASCADE'; END LOOP;
END $$
"""
"""SQL that drops all tables: a backup of an older program would leave those of a newer one."""
PRIVILEGES = ("--no-owner", "--no-privileges")
"""Options without which a backup needs the roles of the server that it was made on."""


def write_backup(file: Path) -> None:
    """Write a backup that only its owner may read; the file is complete or is not created."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600, exist_ok=False)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(part)])
        else:
            run("pg_dump", "--format=custom", *PRIVILEGES, f"--file={part}", *database())
        sync_path(part)
        part.replace(file)
        sync_path(file.parent)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def restore_backup(file: Path) -> None:
    if not file.is_file():
        raise CommandError(f"{file} is not a file.")
    if connection.vendor == "sqlite":
        restore_sqlite(file)
    else:
        restore_postgresql(file)
    connection.close()


def restore_sqlite(file: Path) -> None:
    parameters = connection.get_connection_params() | {"database": str(file)}
    connection.ensure_connection()
    try:
        # Django's connection has the SQL functions that constraints of this project call.
        with closing(connection.get_new_connection(parameters)) as backup:
            [(fault,), *_] = backup.execute("PRAGMA integrity_check").fetchall()
            if fault != "ok":
                raise CommandError(f"{file} is damaged: {fault}.")
            refuse_newer(file, set(backup.execute("SELECT app, name FROM django_migrations")))
            backup.backup(connection.connection)
    except (sqlite3.Error, DatabaseError) as error:
        raise CommandError(f"{file} cannot be restored: {error}.") from error


def restore_postgresql(file: Path) -> None:
    script = run("pg_restore", "--clean", "--if-exists", *PRIVILEGES, "--file=-", str(file))
    _, _, rows = script.partition(b"\nCOPY public.django_migrations ")
    applied = re.findall(
        r"^\d+\t(\w+)\t(\w+)\t", rows.partition(b"\n\\.")[0].decode(), re.MULTILINE
    )
    refuse_newer(file, set(applied))
    strict = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
    run("psql", *strict, f"--command={DROP_TABLES}", "--file=-", *database(), input=script)


def refuse_newer(file: Path, applied: set[tuple[str, str]]) -> None:
    """Raise `CommandError` for migrations that this program lacks and so cannot undo."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    newer = sorted(
        f"{app}.{name}"
        for app, name in applied - loader.disk_migrations.keys()
        if app in loader.migrated_apps
    )
    if newer:
        raise CommandError(
            f"{file} is of a newer version of the program: this one lacks {', '.join(newer)}."
        )


def database() -> tuple[str, str]:
    """The option that names the database of the settings, without its password."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415  (only for PostgreSQL)

    parameters = connection.get_connection_params()
    names = {"dbname", "user", "host", "port", *connection.settings_dict["OPTIONS"]} - {"password"}
    return "--dbname", make_conninfo(
        **{name: parameters[name] for name in names if isinstance(parameters.get(name), str | int)}
    )


def run(program: str, *words: str, **options: Any) -> bytes:
    """Run one of PostgreSQL's programs; return what it prints."""
    password = connection.get_connection_params().get("password")
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    try:
        ended = subprocess.run(  # noqa: S603  (fixed programs)
            [program, *words], env=environment, capture_output=True, check=True, **options
        )
    except FileNotFoundError as error:
        raise CommandError(
            f"{program} is missing. Install PostgreSQL's client (postgresql-client on Debian)."
        ) from error
    except subprocess.CalledProcessError as error:
        raise CommandError(f"{program}: {' '.join(error.stderr.decode().split())}") from error
    return bytes(ended.stdout)
