"""Rows of every content table, and how each of them is changed."""

from collections.abc import Callable
from datetime import timedelta
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
from tests import rows

POST_TAG: type[Model] = Post.tags.through
TOPIC_APP: type[Model] = ScienceTopic.apps.through


NOW = rows.PAST + timedelta(days=30)
FUTURE = NOW + timedelta(seconds=1)


def make_translated_app(**changes: Any) -> App:
    """An app with a page in Vietnamese and an icon."""
    icon = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    return rows.make_app(**{"description_vi": "Mô tả", "icon_svg": icon} | changes)


def make_translated_post(**changes: Any) -> Post:
    values = {"title_vi": "Bài", "excerpt_vi": "Tóm tắt.", "body_vi": "Thân bài."}
    return rows.make_post(**values | changes)


def make_tag(**changes: Any) -> Tag:
    return Tag.objects.create(**{"slug": "a-tag", "name_en": "A tag"} | changes)


def make_symbol(**changes: Any) -> Symbol:
    values = {"topic": changes.get("topic") or rows.make_topic()}
    return Symbol.objects.create(**{"symbol": "f", "meaning_en": "frequency"} | values | changes)


def make_link(**changes: Any) -> TimelineLink:
    values = {"entry": changes.get("entry") or rows.make_entry()}
    return TimelineLink.objects.create(**{"label_en": "A link", "href": "/a"} | values | changes)


def make_former_app_slug() -> FormerAppSlug:
    return FormerAppSlug.objects.create(slug="an-old-app", app=rows.make_app())


def make_former_post_slug() -> FormerPostSlug:
    return FormerPostSlug.objects.create(slug="an-old-post", post=rows.make_post())


def make_post_tag() -> Model:
    return POST_TAG._default_manager.create(post=rows.make_post(), tag=make_tag())


def make_topic_app() -> Model:
    values = {"sciencetopic": rows.make_topic(), "app": rows.make_app()}
    return TOPIC_APP._default_manager.create(**values)


def make_revision() -> Revision:
    """The row that the triggers write as soon as there is content."""
    rows.make_team_member(handle="mai")
    return Revision.objects.get()


MAKERS: dict[type[Model], Callable[..., Model]] = {
    ApiVersion: rows.make_version,
    App: rows.make_app,
    FormerAppSlug: make_former_app_slug,
    FormerPostSlug: make_former_post_slug,
    Page: rows.make_page,
    Post: rows.make_post,
    POST_TAG: make_post_tag,
    Principle: rows.make_principle,
    ScienceTopic: rows.make_topic,
    Statistic: rows.make_statistic,
    Studio: rows.make_studio,
    Symbol: make_symbol,
    Tag: make_tag,
    TeamMember: rows.make_team_member,
    TimelineEntry: rows.make_entry,
    TimelineLink: make_link,
    TOPIC_APP: make_topic_app,
}

CHANGES: dict[type[Model], tuple[str, Callable[[], Any]]] = {
    ApiVersion: ("api_version", lambda: "1.1.0"),
    App: ("name", lambda: "Another name"),
    FormerAppSlug: ("slug", lambda: "an-older-app"),
    FormerPostSlug: ("slug", lambda: "an-older-post"),
    Page: ("title_en", lambda: "Another title"),
    Post: ("title_en", lambda: "Another title"),
    POST_TAG: ("tag_id", lambda: make_tag(slug="another-tag").pk),
    Principle: ("title_en", lambda: "Another title"),
    ScienceTopic: ("name_en", lambda: "Another name"),
    Statistic: ("label_en", lambda: "Another label"),
    Studio: ("name", lambda: "Another name"),
    Symbol: ("unit", lambda: "Hz"),
    Tag: ("name_en", lambda: "Another name"),
    TeamMember: ("role_en", lambda: "Another role"),
    TimelineEntry: ("title_en", lambda: "Another title"),
    TimelineLink: ("label_en", lambda: "Another label"),
    TOPIC_APP: ("app_id", lambda: rows.make_app(slug="another-app").pk),
}


def all_models() -> list[type[Model]]:
    """Every table of the catalogue, the many-to-many ones too."""
    return list(apps.get_app_config("catalogue").get_models(include_auto_created=True))


def content_models() -> list[type[Model]]:
    return [model for model in all_models() if model is not Revision]


def unsaved(model: type[Model]) -> Model:
    """A valid row that is not in the database yet, while what it refers to is."""
    row = MAKERS[model]()
    model._default_manager.filter(pk=row.pk).delete()
    row.pk = model._meta.pk.get_default()
    row._state.adding = True
    return row
