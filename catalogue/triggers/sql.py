"""The triggers of the database, because content is not only written by the admin.

- Every write of a content table moves the content revision. One that changes what readers see also
  moves the moment of the public `Last-Modified` (`catalogue.triggers.visibility`).
- The slug of an app, a post or a tag is recorded when readers no longer see the row under it.
- An update that changes the content of an app or a post sets its `edited_at`.

`catalogue.triggers.installing` installs them and checks whether they are installed.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256

from django.apps import apps
from django.db.models import GeneratedField, Model
from msgspec import Struct

from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Post,
    Publishable,
    Revision,
    Tag,
)
from catalogue.triggers.visibility import (
    DIFFERS,
    EDITED_AT,
    NOW,
    changes_public_sql,
    is_published_sql,
    is_shown_sql,
)

TRIGGER_PREFIX = "catalogue_"
EVENTS = ("INSERT", "UPDATE", "DELETE")
COLUMNS_WITHOUT_CONTENT = frozenset({"state", "publish_at", "position", EDITED_AT})
FORMER_SLUGS = ((App, FormerAppSlug), (Post, FormerPostSlug), (Tag, FormerTagSlug))
"""Tables whose rows have pages by slug, each with the table of former slugs."""

MOVE_REVISION = """
    INSERT INTO catalogue_revision (id, number, changed_at, public_changed_at)
    VALUES (1, 1, {now}, CASE WHEN {is_public} THEN {now} END)
    ON CONFLICT (id) DO UPDATE SET number = catalogue_revision.number + 1,
    changed_at = EXCLUDED.changed_at, public_changed_at =
    coalesce(EXCLUDED.public_changed_at, catalogue_revision.public_changed_at){once};
"""
ONCE_IN_A_STATEMENT = {
    "sqlite": "",
    "postgresql": """
    WHERE (catalogue_revision.changed_at, catalogue_revision.public_changed_at)
    IS DISTINCT FROM (EXCLUDED.changed_at,
    coalesce(EXCLUDED.public_changed_at, catalogue_revision.public_changed_at))""",
}
"""PostgreSQL slowly finds a row that was written many times in one transaction."""

# A withdrawn row may be renamed before it is published again. The slug of a row that was not
# published has never been part of an address.
REMEMBER_SLUG = """
    INSERT INTO {memory} (slug, owner_id)
    SELECT {slug_and_owner} WHERE {condition}
    ON CONFLICT (slug) DO UPDATE SET owner_id = EXCLUDED.owner_id;
"""
FORGET_SLUG = """
    DELETE FROM {memory} WHERE slug = NEW.slug AND {is_published};
"""
RETIRE_SLUGS = """
    UPDATE {memory} SET owner_id = NULL WHERE owner_id = OLD.id;
"""


class Trigger(Struct, frozen=True):
    """A trigger, and the statements that create it.

    Its name ends with a digest of its text. So the names tell whether the triggers of a database
    are those of this program.
    """

    name: str
    create: tuple[str, ...]


def content_models() -> list[type[Model]]:
    """Return every model of the catalogue except the revision, including many-to-many tables."""
    config = apps.get_app_config("catalogue")
    models = config.get_models(include_auto_created=True)
    return sorted(
        (model for model in models if model is not Revision), key=lambda model: model._meta.db_table
    )


@cache
def expected_triggers(vendor: str) -> tuple[Trigger, ...]:
    return (
        *revision_triggers(vendor),
        *former_slug_triggers(vendor),
        *tag_triggers(vendor),
        *(edited_at_trigger(model, vendor) for model in (App, Post)),
    )


def make_trigger(model: type[Model], purpose: str, event: str, body: str, vendor: str) -> Trigger:
    """Return a trigger that runs for each row after an event."""
    table = model._meta.db_table
    digest = sha256(f"{event} {body}".encode()).hexdigest()[:8]
    name = f"{table}_{purpose}_{digest}"
    begin = f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW"
    if vendor == "sqlite":
        return Trigger(name, (f"{begin} BEGIN {body} END",))
    function = (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN {body} RETURN NULL; END $$"
    )
    return Trigger(name, (function, f"{begin} EXECUTE FUNCTION {name}()"))


def revision_triggers(vendor: str) -> Iterator[Trigger]:
    for model in content_models():
        for event in EVENTS:
            body = MOVE_REVISION.format(
                now=NOW[vendor],
                is_public=changes_public_sql(model, event, vendor),
                once=ONCE_IN_A_STATEMENT[vendor],
            )
            yield make_trigger(model, f"{event.lower()}_moves_revision", event, body, vendor)


def former_slug_triggers(vendor: str) -> Iterator[Trigger]:
    """Yield the triggers that record the slug of a published row that is renamed or withdrawn.

    A former slug is deleted when a row is published under it again, and retired with its row.
    """
    for model, former in FORMER_SLUGS:
        memory = former._meta.db_table
        was_published, is_published = (
            is_shown_sql(model, row, NOW[vendor]) for row in ("OLD", "NEW")
        )
        forget = FORGET_SLUG.format(memory=memory, is_published=is_published)
        moved = f"{was_published} AND (OLD.slug <> NEW.slug OR NOT {is_published})"
        changes = "slug, state, publish_at" if issubclass(model, Publishable) else "slug"
        renamed = remember_slug(former, "OLD.slug, OLD.id", moved) + forget
        deleted = remember_slug(former, "OLD.slug, OLD.id", was_published)
        deleted += RETIRE_SLUGS.format(memory=memory)
        yield make_trigger(model, "insert_forgets", "INSERT", forget, vendor)
        yield make_trigger(model, "update_remembers", f"UPDATE OF {changes}", renamed, vendor)
        yield make_trigger(model, "delete_retires", "DELETE", deleted, vendor)


def remember_slug(former: type[Model], slug_and_owner: str, condition: str) -> str:
    return REMEMBER_SLUG.format(
        memory=former._meta.db_table, slug_and_owner=slug_and_owner, condition=condition
    )


def tag_triggers(vendor: str) -> Iterator[Trigger]:
    """Yield the triggers that record the slugs of tags which lose a published post.

    A tag has no state of its own: its page goes with its last post, and it may be renamed then.
    """
    through, now = Post.tags.through, NOW[vendor]
    tag, link = Tag._meta.db_table, through._meta.db_table
    of_post = f"tag.slug, tag.id FROM {tag} AS tag JOIN {link} AS link ON link.tag_id = tag.id"
    hidden = f"{is_published_sql('OLD', now)} AND NOT {is_published_sql('NEW', now)}"
    body = remember_slug(FormerTagSlug, of_post, f"link.post_id = OLD.id AND {hidden}")
    yield make_trigger(Post, "update_hides_tags", "UPDATE OF state, publish_at", body, vendor)
    of_link = f"tag.slug, tag.id FROM {tag} AS tag"
    shown = f"tag.id = OLD.tag_id AND {is_shown_sql(through, 'OLD', now)}"
    body = remember_slug(FormerTagSlug, of_link, shown)
    yield make_trigger(through, "delete_hides_tag", "DELETE", body, vendor)


def edited_at_trigger(model: type[Model], vendor: str) -> Trigger:
    """Return the trigger that dates an edit; a save without a change keeps the date."""
    columns = content_columns(model)
    was, new = (f"({', '.join(f'{row}.{each}' for each in columns)})" for row in ("OLD", "NEW"))
    differs = DIFFERS[vendor]
    moment = f"CASE WHEN {was} {differs} {new} THEN {NOW[vendor]} ELSE OLD.{EDITED_AT} END"
    body = (
        f"UPDATE {model._meta.db_table} SET {EDITED_AT} = {moment} "  # noqa: S608  (our own names)
        f"WHERE id = NEW.id AND {EDITED_AT} {differs} {moment};"
    )
    return make_trigger(model, "update_dates", f"UPDATE OF {', '.join(columns)}", body, vendor)


def content_columns(model: type[Model]) -> list[str]:
    """Return the columns of a row whose change is an edit of its page or its API document."""
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation or isinstance(field, GeneratedField))
        and field.column not in COLUMNS_WITHOUT_CONTENT
    ]
