"""Functions of SQL that give the same on every machine."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Aggregate, Func, TextField
from django.db.models.sql.compiler import SQLCompiler


class Bytewise(Func):
    """A column that sorts by its bytes, as SQLite does and PostgreSQL in the collation `C`.

    The locale of a PostgreSQL server may sort hyphens differently, so two snapshots would differ.
    """

    template = "%(expressions)s"
    arity = 1

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **context)


class JoinedSlugs(Aggregate):
    """The slugs of a group with commas between them, in any order."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        template = "STRING_AGG(%(expressions)s, ',')"
        return self.as_sql(compiler, connection, template=template, **context)
