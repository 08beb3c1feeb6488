"""Hiding of optional packages that a library imports and a freeze does not need."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

OPTIONAL_PACKAGES = ("psycopg", "requests", "yaml")
"""Packages that Django REST Framework imports: they take a tenth of the start of a freeze."""


@contextmanager
def without_optional_imports(*names: str) -> Iterator[None]:
    """Make imports of the packages fail within the context, as if they were not installed.

    A package that is already imported stays, because the database may be PostgreSQL.
    """
    hidden = [name for name in names or OPTIONAL_PACKAGES if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
