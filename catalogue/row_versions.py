"""Row versions of posts, by which a freeze recognizes unchanged posts without reading them.

A trigger draws a random value with every write of a post. A migration may have rewritten the table
without triggers, so all values are drawn again after it. Posts with the same row version have the
same values. A copy of a database has the row versions of its original until one of the two is
written to. docs/decisions.md has the reasons.
"""

from collections.abc import Iterator

from django.db import connection

ROW_VERSION_TABLE = "catalogue_post_stamp"
POST_TABLE = "catalogue_post"
RANDOM_VALUE = {"sqlite": "hex(randomblob(16))", "postgresql": "gen_random_uuid()::text"}
"""Enough random bits that no value is drawn twice."""


def row_version_table_sql(vendor: str, *, replace: bool) -> Iterator[str]:
    """Yield statements that create the table and draw missing row versions, or `replace` all.

    The table is not a model, because row versions must not be dumped and loaded into another
    database.
    """
    columns = "(post_id bigint PRIMARY KEY, stamp text NOT NULL)"
    yield f"CREATE TABLE IF NOT EXISTS {ROW_VERSION_TABLE} {columns}"
    if replace:
        yield f"DELETE FROM {ROW_VERSION_TABLE}"  # noqa: S608  (our own names)
    yield (
        f"INSERT INTO {ROW_VERSION_TABLE} (post_id, stamp) "  # noqa: S608
        f"SELECT id, {RANDOM_VALUE[vendor]} FROM {POST_TABLE} "
        f"WHERE id NOT IN (SELECT post_id FROM {ROW_VERSION_TABLE})"
    )


def draw_row_version_sql(vendor: str) -> str:
    """Return the statement by which a trigger gives a written post a new row version."""
    return f"""
    INSERT INTO {ROW_VERSION_TABLE} (post_id, stamp) VALUES (NEW.id, {RANDOM_VALUE[vendor]})
    ON CONFLICT (post_id) DO UPDATE SET stamp = EXCLUDED.stamp;
"""  # noqa: S608


def read_row_versions() -> dict[int, str]:
    """Return the row versions by the keys of posts."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT post_id, stamp FROM {ROW_VERSION_TABLE}")  # noqa: S608
        return dict(cursor.fetchall())
