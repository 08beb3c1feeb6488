"""Packages that a library imports wherever they are installed, and that a freeze never needs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

UNNEEDED = ("psycopg", "requests", "yaml")
"""Django REST Framework would import them: a tenth of what a freeze takes to start."""


@contextmanager
def absent(*names: str) -> Iterator[None]:
    """Whoever imports one of them meanwhile is told that it is not installed.

    One that is imported already stays: the database may be PostgreSQL.
    """
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
