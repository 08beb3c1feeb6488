"""SQL that records the former slugs of apps and posts.

The slug of a published row is recorded when the row is renamed or withdrawn, and deleted when a row
is published under it again. The table `catalogue_known_slug` has a copy of the slug and of the
publication of every row. If rows were written while triggers were missing, the next `migrate`
compares this table with the rows and records the missing former slugs.
"""

from collections.abc import Iterator

from msgspec import Struct

from catalogue.visibility_sql import is_published_sql

KNOWN_SLUG_TABLE = "catalogue_known_slug"
KNOWN_SLUG_COLUMNS = "(kind, row_id, slug, state, publish_at)"
MOMENT_TYPE = {"sqlite": "datetime", "postgresql": "timestamptz"}


class FormerSlugs(Struct, frozen=True):
    """A table whose rows have slugs, and the table `memory` of their former slugs."""

    table: str
    memory: str
    owner: str

    def forget(self, now: str) -> str:
        """Return a statement that deletes a former slug under which a row is published."""
        return f"""
    DELETE FROM {self.memory} WHERE slug = NEW.slug AND {is_published_sql("NEW", now)};
"""  # noqa: S608  (our own names)

    def remember(self, now: str) -> str:
        """Return a statement that records the slug of a published row that is renamed or withdrawn.

        A withdrawn row may be renamed before it is published again. The slug of a row that was not
        published has never been part of an address.
        """
        before, after = is_published_sql("OLD", now), is_published_sql("NEW", now)
        return f"""
    INSERT INTO {self.memory} (slug, {self.owner})
    SELECT OLD.slug, OLD.id
    WHERE {before} AND (OLD.slug <> NEW.slug OR NOT {after})
    ON CONFLICT (slug) DO UPDATE SET {self.owner} = EXCLUDED.{self.owner};
"""

    def record_row(self) -> str:
        """Return a statement that copies the slug and the publication of a written row."""
        return f"""
    INSERT INTO {KNOWN_SLUG_TABLE} {KNOWN_SLUG_COLUMNS}
    VALUES ('{self.table}', NEW.id, NEW.slug, NEW.state, NEW.publish_at)
    ON CONFLICT (kind, row_id) DO UPDATE SET
    slug = EXCLUDED.slug, state = EXCLUDED.state, publish_at = EXCLUDED.publish_at;
"""  # noqa: S608

    def delete_row(self) -> str:
        """Return a statement that deletes the copy of a deleted row."""
        return f"""
    DELETE FROM {KNOWN_SLUG_TABLE} WHERE kind = '{self.table}' AND row_id = OLD.id;
"""  # noqa: S608

    def find_missed(self, now: str) -> Iterator[str]:
        """Yield statements that record changes which were made while triggers were missing."""
        yield f"""
    INSERT INTO {self.memory} (slug, {self.owner})
    SELECT known.slug, owner.id FROM {KNOWN_SLUG_TABLE} AS known
    JOIN {self.table} AS owner ON owner.id = known.row_id
    WHERE known.kind = '{self.table}' AND {is_published_sql("known", now)}
    AND (known.slug <> owner.slug OR NOT {is_published_sql("owner", now)})
    ON CONFLICT (slug) DO UPDATE SET {self.owner} = EXCLUDED.{self.owner}"""  # noqa: S608
        yield f"""
    DELETE FROM {self.memory} WHERE slug IN
    (SELECT slug FROM {self.table} AS owner WHERE {is_published_sql("owner", now)})"""  # noqa: S608

    def record_all_rows(self) -> Iterator[str]:
        """Yield statements that replace the copies of all rows."""
        yield f"DELETE FROM {KNOWN_SLUG_TABLE} WHERE kind = '{self.table}'"  # noqa: S608
        yield (
            f"INSERT INTO {KNOWN_SLUG_TABLE} {KNOWN_SLUG_COLUMNS} "  # noqa: S608
            f"SELECT '{self.table}', id, slug, state, publish_at FROM {self.table}"
        )


FORMER_SLUGS = (
    FormerSlugs("catalogue_app", "catalogue_formerappslug", "app_id"),
    FormerSlugs("catalogue_post", "catalogue_formerpostslug", "post_id"),
)


def known_slug_table_sql(vendor: str) -> str:
    """Return the statement that creates the table, which is not a model, so dumps leave it out."""
    return (
        f"CREATE TABLE IF NOT EXISTS {KNOWN_SLUG_TABLE} ("
        "kind text NOT NULL, row_id bigint NOT NULL, "
        f"slug text NOT NULL, state text NOT NULL, publish_at {MOMENT_TYPE[vendor]}, "
        "PRIMARY KEY (kind, row_id))"
    )
