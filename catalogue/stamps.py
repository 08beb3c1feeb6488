"""A stamp for each post, by which a freeze knows its values without reading them.

The database draws one at random whenever a post is written, whatever writes it, and draws all of
them anew after a migration, which may have rewritten the table while no trigger looked. Posts of
the same stamp have the same values, wherever and whenever they are read: a copy of a database has
the stamps of its original until either is written to. docs/decisions.md has the argument.
"""

from collections.abc import Iterator

from django.db import connection

TABLE = "catalogue_post_stamp"
POSTS = "catalogue_post"
DRAWN = {"sqlite": "hex(randomblob(16))", "postgresql": "gen_random_uuid()::text"}
"""More bits than ever come twice."""


def table(vendor: str, *, anew: bool) -> Iterator[str]:
    """Statements that make the table and draw every stamp that is missing, or all of them `anew`.

    It is no model: what is drawn for one database is neither dumped nor loaded into another.
    """
    yield f"CREATE TABLE IF NOT EXISTS {TABLE} (post_id bigint PRIMARY KEY, stamp text NOT NULL)"
    if anew:
        yield f"DELETE FROM {TABLE}"  # noqa: S608  (our own names)
    yield (
        f"INSERT INTO {TABLE} (post_id, stamp) SELECT id, {DRAWN[vendor]} FROM {POSTS} "  # noqa: S608
        f"WHERE id NOT IN (SELECT post_id FROM {TABLE})"
    )


def draw(vendor: str) -> str:
    """What a trigger does with a post that was written."""
    return f"""
    INSERT INTO {TABLE} (post_id, stamp) VALUES (NEW.id, {DRAWN[vendor]})
    ON CONFLICT (post_id) DO UPDATE SET stamp = EXCLUDED.stamp;
"""  # noqa: S608


def stamps() -> dict[int, str]:
    """By the keys of posts."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT post_id, stamp FROM {TABLE}")  # noqa: S608
        return dict(cursor.fetchall())
