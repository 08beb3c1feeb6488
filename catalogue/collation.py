"""An order of texts that is the same on every machine."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func
from django.db.models.sql.compiler import SQLCompiler


class Bytewise(Func):
    """A column in the order of its bytes: SQLite's own, and PostgreSQL's `C` collation.

    A server's locale may order hyphens otherwise, and two snapshots would not agree.
    """

    template = "%(expressions)s"
    arity = 1

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **context)


def bytewise(column: str) -> Bytewise:
    return Bytewise(column)
