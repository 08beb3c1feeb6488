"""Rows that only the admin's tests need."""

from typing import Any

from django.contrib.auth.models import Group

from catalogue.models import App, FormerAppSlug, FormerPostSlug, Post, Symbol, Tag, TimelineLink
from tests import rows


def make_tag(**changes: Any) -> Tag:
    return Tag.objects.create(**{"slug": "a-tag", "name_en": "A tag"} | changes)


def make_symbol(**changes: Any) -> Symbol:
    return Symbol.objects.create(**{"symbol": "v", "meaning_en": "speed"} | changes)


def make_link(**changes: Any) -> TimelineLink:
    return TimelineLink.objects.create(**{"label_en": "An app", "href": "/apps/an-app"} | changes)


def make_former_app_slug(app: App, slug: str = "an-older-app") -> FormerAppSlug:
    return FormerAppSlug.objects.create(slug=slug, app=app)


def make_former_post_slug(post: Post, slug: str = "an-older-post") -> FormerPostSlug:
    return FormerPostSlug.objects.create(slug=slug, post=post)


def make_one_of_each() -> None:
    """A row of every model that the admin edits, with rows in every inline."""
    rows.make_studio()
    rows.make_team_member()
    rows.make_statistic()
    rows.make_page()
    rows.make_version()
    rows.make_principle()
    app = rows.make_app(icon_svg='<svg xmlns="http://www.w3.org/2000/svg"/>', stack=["Swift"])
    make_former_app_slug(app)
    post = rows.make_post(app=app, body_en="A body.\n\n## Its end")
    post.tags.add(make_tag())
    make_former_post_slug(post)
    make_symbol(topic=rows.make_topic())
    make_link(entry=rows.make_entry())
    Group.objects.create(name="Writers")
