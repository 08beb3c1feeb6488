"""A transaction for many reads of the catalogue, which all see the same state."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections, transaction


@contextmanager
def read_transaction() -> Iterator[None]:
    """Open a transaction whose reads see one state, without any edit that is made meanwhile.

    SQLite: a deferred transaction, whose first read fixes the state and which does not block
    editors. PostgreSQL: repeatable read.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with deferred_transactions(), transaction.atomic():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


@contextmanager
def deferred_transactions() -> Iterator[None]:
    """Let transactions of SQLite begin without the write lock that the settings ask for."""
    connection.ensure_connection()
    sqlite: Any = connections[connection.alias]
    usual = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual
