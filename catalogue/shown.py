"""SQL conditions for the rows that readers see, and for the writes that change what they see.

They say in SQL what `catalogue.models.workflow.visible` says to the ORM. The triggers use them, so
that a draft, a row in review or a scheduled row moves no public `Last-Modified`.
"""

from django.db.models import ForeignKey, GeneratedField, Model

from catalogue.models import Post, Publishable, Tag

NOW = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now')",
    "postgresql": "statement_timestamp()",
}
DIFFERS = {"sqlite": "IS NOT", "postgresql": "IS DISTINCT FROM"}
"""Compares two rows of values, NULL included."""
EDITED_AT = "edited_at"
"""The column that a trigger writes when the content of a row changes."""


def published(row: str, now: str) -> str:
    """Whether a row of a table with states is published at a moment."""
    return f"({row}.state = 'published' AND {row}.publish_at <= {now})"


def shown(model: type[Model], row: str, now: str) -> str:
    """Whether readers see a row. A row that belongs to publishable rows is seen with all of these,
    a tag with at least one of its posts, and a row of any other table always.
    """
    if issubclass(model, Publishable):
        return published(row, now)
    if model is Tag:
        through = Post.tags.through._meta.db_table
        return (
            f"EXISTS (SELECT 1 FROM {through} AS link "  # noqa: S608  (our own names)
            f"JOIN {Post._meta.db_table} AS post ON post.id = link.post_id "
            f"WHERE link.tag_id = {row}.id AND {published('post', now)})"
        )
    owners = [field for field in keys(model) if issubclass(field.related_model, Publishable)]
    return (
        " AND ".join(published_key(field, row, now) + " IS NOT NULL" for field in owners) or "1=1"
    )


def keys(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def published_key(field: "ForeignKey[Model, Model]", row: str, now: str) -> str:
    """The key of a related row if that row is published, else NULL."""
    table = field.related_model._meta.db_table
    return (
        f"(SELECT owner.id FROM {table} AS owner "  # noqa: S608
        f"WHERE owner.id = {row}.{field.column} AND {published('owner', now)})"
    )


def changed(model: type[Model], event: str, vendor: str) -> str:
    """Whether an INSERT, UPDATE or DELETE of a row changes what readers see."""
    now = NOW[vendor]
    if event == "INSERT":
        return shown(model, "NEW", now)
    if event == "DELETE":
        return shown(model, "OLD", now)
    seen = f"(({shown(model, 'OLD', now)}) OR ({shown(model, 'NEW', now)}))"
    was, new = (values(model, row, now) for row in ("OLD", "NEW"))
    return f"{seen} AND {was} {DIFFERS[vendor]} {new}"


def values(model: type[Model], row: str, now: str) -> str:
    """All values of a row that readers can notice; a key only if its row is published."""
    found = []
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey) and issubclass(field.related_model, Publishable):
            found.append(published_key(field, row, now))
        elif not isinstance(field, GeneratedField) and field.column != EDITED_AT:
            found.append(f"{row}.{field.column}")
    return f"({', '.join(found)})"
