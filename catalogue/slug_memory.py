"""SQL that keeps the former slugs of apps and posts.

A slug under which readers saw a row is remembered when the row is renamed or withdrawn, and
forgotten when readers see a row under it again. The table `catalogue_known_slug` repeats the slug
and the publication of every row. Where rows were written while triggers were missing, the next
`migrate` compares it with the rows and remembers the slugs that have gone.
"""

from collections.abc import Iterator

from msgspec import Struct

from catalogue.shown import published

KNOWN = "catalogue_known_slug"
COLUMNS = "(kind, row_id, slug, state, publish_at)"
MOMENT = {"sqlite": "datetime", "postgresql": "timestamptz"}


class FormerSlugs(Struct, frozen=True):
    """A table whose rows have slugs, and the table that remembers the old ones."""

    table: str
    memory: str
    owner: str

    def forget(self, now: str) -> str:
        """A slug under which readers see a row is not a former slug."""
        return f"""
    DELETE FROM {self.memory} WHERE slug = NEW.slug AND {published("NEW", now)};
"""  # noqa: S608  (our own names)

    def remember(self, now: str) -> str:
        """The slug under which readers saw a row that is renamed, or withdrawn and perhaps
        renamed before they see it again. Only what they saw was ever an address.
        """
        return f"""
    INSERT INTO {self.memory} (slug, {self.owner})
    SELECT OLD.slug, OLD.id
    WHERE {published("OLD", now)} AND (OLD.slug <> NEW.slug OR NOT {published("NEW", now)})
    ON CONFLICT (slug) DO UPDATE SET {self.owner} = EXCLUDED.{self.owner};
"""

    def know(self) -> str:
        """Repeat the slug and the publication of a written row."""
        return f"""
    INSERT INTO {KNOWN} {COLUMNS}
    VALUES ('{self.table}', NEW.id, NEW.slug, NEW.state, NEW.publish_at)
    ON CONFLICT (kind, row_id) DO UPDATE SET
    slug = EXCLUDED.slug, state = EXCLUDED.state, publish_at = EXCLUDED.publish_at;
"""  # noqa: S608

    def lose(self) -> str:
        """Drop what is known of a deleted row."""
        return f"""
    DELETE FROM {KNOWN} WHERE kind = '{self.table}' AND row_id = OLD.id;
"""  # noqa: S608

    def compared(self, now: str) -> Iterator[str]:
        """Statements that remember what was renamed or withdrawn while no trigger was in place."""
        yield f"""
    INSERT INTO {self.memory} (slug, {self.owner})
    SELECT known.slug, owner.id FROM {KNOWN} AS known
    JOIN {self.table} AS owner ON owner.id = known.row_id
    WHERE known.kind = '{self.table}' AND {published("known", now)}
    AND (known.slug <> owner.slug OR NOT {published("owner", now)})
    ON CONFLICT (slug) DO UPDATE SET {self.owner} = EXCLUDED.{self.owner}"""  # noqa: S608
        yield f"""
    DELETE FROM {self.memory} WHERE slug IN
    (SELECT slug FROM {self.table} AS owner WHERE {published("owner", now)})"""  # noqa: S608

    def repeated(self) -> Iterator[str]:
        """Statements that repeat every row anew."""
        yield f"DELETE FROM {KNOWN} WHERE kind = '{self.table}'"  # noqa: S608
        yield (
            f"INSERT INTO {KNOWN} {COLUMNS} "  # noqa: S608
            f"SELECT '{self.table}', id, slug, state, publish_at FROM {self.table}"
        )


FORMER_SLUGS = (
    FormerSlugs("catalogue_app", "catalogue_formerappslug", "app_id"),
    FormerSlugs("catalogue_post", "catalogue_formerpostslug", "post_id"),
)


def table(vendor: str) -> str:
    """The statement that makes the table. It is not a model: dumps do not contain it."""
    return (
        f"CREATE TABLE IF NOT EXISTS {KNOWN} (kind text NOT NULL, row_id bigint NOT NULL, "
        f"slug text NOT NULL, state text NOT NULL, publish_at {MOMENT[vendor]}, "
        "PRIMARY KEY (kind, row_id))"
    )
