"""Every table of the catalogue with its factory and a changed value."""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db.models import Model

from catalogue.models import (
    ApiVersion,
    App,
    FormerAppSlug,
    FormerPostSlug,
    Page,
    Post,
    Principle,
    Revision,
    ScienceTopic,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)
from tests import factories

POST_TAG: type[Model] = Post.tags.through
TOPIC_APP: type[Model] = ScienceTopic.apps.through


def make_post_tag() -> Model:
    return POST_TAG._default_manager.create(post=factories.make_post(), tag=factories.make_tag())


def make_topic_app() -> Model:
    values = {"sciencetopic": factories.make_topic(), "app": factories.make_app()}
    return TOPIC_APP._default_manager.create(**values)


def make_revision() -> Revision:
    """Return the row that a trigger writes with the first content."""
    factories.make_team_member(handle="mai")
    return Revision.objects.get()


FACTORIES: dict[type[Model], Callable[..., Model]] = {
    ApiVersion: factories.make_version,
    App: factories.make_app,
    FormerAppSlug: factories.make_former_app_slug,
    FormerPostSlug: factories.make_former_post_slug,
    Page: factories.make_page,
    Post: factories.make_post,
    POST_TAG: make_post_tag,
    Principle: factories.make_principle,
    ScienceTopic: factories.make_topic,
    Statistic: factories.make_statistic,
    Studio: factories.make_studio,
    Symbol: factories.make_symbol,
    Tag: factories.make_tag,
    TeamMember: factories.make_team_member,
    TimelineEntry: factories.make_entry,
    TimelineLink: factories.make_link,
    TOPIC_APP: make_topic_app,
}

CHANGES: dict[type[Model], tuple[str, Callable[[], Any]]] = {
    ApiVersion: ("api_version", lambda: "1.1.0"),
    App: ("name", lambda: "Another name"),
    FormerAppSlug: ("slug", lambda: "an-older-app"),
    FormerPostSlug: ("slug", lambda: "an-older-post"),
    Page: ("title_en", lambda: "Another title"),
    Post: ("title_en", lambda: "Another title"),
    POST_TAG: ("tag_id", lambda: factories.make_tag(slug="another-tag").pk),
    Principle: ("title_en", lambda: "Another title"),
    ScienceTopic: ("name_en", lambda: "Another name"),
    Statistic: ("label_en", lambda: "Another label"),
    Studio: ("name", lambda: "Another name"),
    Symbol: ("unit", lambda: "Hz"),
    Tag: ("name_en", lambda: "Another name"),
    TeamMember: ("role_en", lambda: "Another role"),
    TimelineEntry: ("title_en", lambda: "Another title"),
    TimelineLink: ("label_en", lambda: "Another label"),
    TOPIC_APP: ("app_id", lambda: factories.make_app(slug="another-app").pk),
}


def list_tables() -> list[type[Model]]:
    """Return every model of the catalogue, including many-to-many tables."""
    return list(apps.get_app_config("catalogue").get_models(include_auto_created=True))


def list_content_tables() -> list[type[Model]]:
    return [model for model in list_tables() if model is not Revision]


def make_unsaved(model: type[Model]) -> Model:
    """Return a valid row that is not saved, while the rows to which it refers are."""
    row = FACTORIES[model]()
    model._default_manager.filter(pk=row.pk).delete()
    row.pk = model._meta.pk.get_default()
    row._state.adding = True
    return row
