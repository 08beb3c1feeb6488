"""One read of the whole catalogue, in which nothing changes underneath."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections, transaction


@contextmanager
def one_read() -> Iterator[None]:
    """A transaction that sees one state: an edit made meanwhile is wholly out.

    SQLite: a deferred transaction, whose first read fixes what it sees and which keeps no
    editor waiting. PostgreSQL: repeatable read.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with deferred(), transaction.atomic():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


@contextmanager
def deferred() -> Iterator[None]:
    """Begin without the write lock that this project's transactions begin with."""
    connection.ensure_connection()
    sqlite: Any = connections[connection.alias]
    usual = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual
