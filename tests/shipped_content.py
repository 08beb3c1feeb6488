"""The shipped content in the test database, many times in a run."""

from django.db import connection

from catalogue import shipped
from tests.copied_rows import Rows, insert_rows, read_rows

known: Rows = {}


def load_shipped_content() -> None:
    """Load the fixtures; after the first time SQLite gets copies of their rows."""
    if known:
        insert_rows(known)
        return
    shipped.load_fixtures()
    if connection.vendor == "sqlite":
        known.update(read_rows())
