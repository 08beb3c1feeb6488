"""SQL conditions for the rows that readers see, and for the writes that change what they see.

They are the SQL of `catalogue.models.workflow.is_visible`. The triggers use them, so that a write
of a draft or a scheduled row does not change the public `Last-Modified`.
"""

from django.db.models import ForeignKey, GeneratedField, Model

from catalogue.addresses import IMAGES
from catalogue.models import FormerTagSlug, Image, Page, Post, Publishable, Tag, TagPicture

NOW = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now')",
    "postgresql": "statement_timestamp()",
}
DIFFERS = {"sqlite": "IS NOT", "postgresql": "IS DISTINCT FROM"}
"""The operator that compares two rows of values, including NULL."""
KEYS_OF_TAGS: dict[type[Model], str] = {
    Tag: "id",
    FormerTagSlug: "owner_id",
    TagPicture: "owner_id",
}
"""Tables whose rows are seen with the posts of a tag, each with its column of the tag's key."""
EDITED_AT = "edited_at"
"""The column that a trigger writes when the content of a row changes."""
COLUMNS_OF_NO_DOCUMENT = frozenset({EDITED_AT, "alt_en", "alt_vi"})


def is_published_sql(row: str, now: str) -> str:
    """Return the condition that a row of a table with states is published at a moment."""
    return f"({row}.state = 'published' AND {row}.publish_at <= {now})"


def is_shown_sql(model: type[Model], row: str, now: str) -> str:
    """Return the condition that readers see a row.

    A row that belongs to publishable rows is seen if all of these are, a tag with its former slugs
    and pictures if one of its posts is, an image if a text that is seen names it, and a row of any
    other table always.
    """
    if issubclass(model, Publishable):
        return is_published_sql(row, now)
    if model is Image:
        return is_named_sql(row, now)
    if key := KEYS_OF_TAGS.get(model):
        through = Post.tags.through._meta.db_table
        return (
            f"EXISTS (SELECT 1 FROM {through} AS link "  # noqa: S608  (our own names)
            f"JOIN {Post._meta.db_table} AS post ON post.id = link.post_id "
            f"WHERE link.tag_id = {row}.{key} AND {is_published_sql('post', now)})"
        )
    owners = [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and issubclass(field.related_model, Publishable)
    ]
    return (
        " AND ".join(published_key_sql(field, row, now) + " IS NOT NULL" for field in owners)
        or "1=1"
    )


def is_named_sql(row: str, now: str) -> str:
    """Return the condition that a text which readers see has the address of an image."""
    like = f"LIKE '%{IMAGES}/' || {row}.slug || '.%'"
    named = f"(text.body_en {like} OR text.body_vi {like})"
    post, page = Post._meta.db_table, Page._meta.db_table
    return (
        f"(EXISTS (SELECT 1 FROM {page} AS text WHERE {named}) OR EXISTS "  # noqa: S608
        f"(SELECT 1 FROM {post} AS text WHERE {is_published_sql('text', now)} AND {named}))"
    )


def published_key_sql(field: "ForeignKey[Model, Model]", row: str, now: str) -> str:
    """Return an expression for the key of a related row if that row is published, else NULL."""
    table = field.related_model._meta.db_table
    return (
        f"(SELECT owner.id FROM {table} AS owner "  # noqa: S608
        f"WHERE owner.id = {row}.{field.column} AND {is_published_sql('owner', now)})"
    )


def changes_public_sql(model: type[Model], event: str, vendor: str) -> str:
    """Return the condition that an INSERT, UPDATE or DELETE of a row changes published content."""
    now = NOW[vendor]
    if event == "INSERT":
        return is_shown_sql(model, "NEW", now)
    if event == "DELETE":
        return is_shown_sql(model, "OLD", now)
    seen = f"(({is_shown_sql(model, 'OLD', now)}) OR ({is_shown_sql(model, 'NEW', now)}))"
    was, new = (public_values_sql(model, row, now) for row in ("OLD", "NEW"))
    return f"{seen} AND {was} {DIFFERS[vendor]} {new}"


def public_values_sql(model: type[Model], row: str, now: str) -> str:
    """Return all values of a row that are published; a key only if its row is published."""
    expressions = []
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey) and issubclass(field.related_model, Publishable):
            expressions.append(published_key_sql(field, row, now))
        elif not isinstance(field, GeneratedField) and field.column not in COLUMNS_OF_NO_DOCUMENT:
            expressions.append(f"{row}.{field.column}")
    return f"({', '.join(expressions)})"
