"""Rows of the catalogue, copied into the SQLite database of a test."""

from typing import Any

from django.db import connection

Rows = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, by the statement that inserts them."""


def read_rows() -> Rows:
    """Return all rows. The revision is the last, because triggers change it with each other row."""
    rows: Rows = {}
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in sorted(tables, key=lambda name: (name == "catalogue_revision", name)):
            if table.startswith("catalogue_"):
                details = cursor.execute(f"PRAGMA table_xinfo({table})").fetchall()
                columns = [f'"{name}"' for _, name, *_, hidden in details if not hidden]
                listed, values = ", ".join(columns), ", ".join(["%s"] * len(columns))
                statement = f"INSERT OR REPLACE INTO {table} ({listed}) VALUES ({values})"  # noqa: S608
                rows[statement] = cursor.execute(f"SELECT {listed} FROM {table}").fetchall()  # noqa: S608
    return rows


def insert_rows(rows: Rows) -> None:
    with connection.cursor() as cursor:
        for statement, values in rows.items():
            cursor.executemany(statement, values)
