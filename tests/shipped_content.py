"""The shipped content in the test database, many times in a run."""

from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from catalogue import shipped
from catalogue.models import Revision

copied_rows: dict[str, list[Any]] = {}
"""The statement that inserts a row of each table, and the values of all its rows."""


def load_shipped_content() -> None:
    """Load the fixtures; after the first time SQLite gets copies of their rows."""
    if copied_rows:
        with connection.cursor() as cursor:
            for statement, rows in copied_rows.items():
                cursor.executemany(statement, rows)
        return
    shipped.load_fixtures()
    if connection.vendor == "sqlite":
        copy_rows()


def copy_rows() -> None:
    models = apps.get_app_config("catalogue").get_models(include_auto_created=True)
    for model in models:
        if model is not Revision:  # Triggers write it.
            columns = column_names(model)
            table, values = model._meta.db_table, ", ".join(["%s"] * columns.count(","))
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT {columns} FROM {table}")  # noqa: S608 - names of the program
                rows = cursor.fetchall()
            insert = f"INSERT INTO {table} ({columns}) VALUES ({values}, %s)"  # noqa: S608
            copied_rows[insert] = rows


def column_names(model: type[Model]) -> str:
    fields = model._meta.local_concrete_fields
    return ", ".join(f'"{field.column}"' for field in fields if not field.generated)
