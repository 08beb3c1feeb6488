"""Creates a new row of each model."""

from collections.abc import Callable, Mapping
from typing import Any

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
from tests.freeze.incremental.corpus import NOT_WRITTEN, NOW, RETIRED

Values = dict[str, Any]


def create(model: type[Model], number: int, values: Values) -> None:
    make, given = MAKERS[model]
    make(**given(number) | values)


def make_slug(number: int) -> Values:
    return {"slug": f"new-{number}"}


def make_post_values(number: int) -> Values:
    """Every other post is translated."""
    translated = {"title_vi": "Mới", "excerpt_vi": "Mới.", "body_vi": "Mới."}
    return make_slug(number) | (translated if number % 2 else {})


def make_app_slug(number: int) -> Values:
    return {"slug": f"old-{number}", "app": find_first(App)}


def make_post_slug(number: int) -> Values:
    return {"slug": f"old-{number}", "post": find_first(Post)}


def make_symbol(number: int) -> Values:
    return {"topic": find_first(ScienceTopic), "symbol": f"x{number}", "meaning_en": "Something"}


def make_link(number: int) -> Values:
    return {
        "entry": find_first(TimelineEntry),
        "label_en": "New",
        "href": f"https://{number}.example/",
    }


def tag_first_post(**values: Any) -> None:
    """Create a tag of a post, because other tags are not published."""
    tag = factories.make_tag(**values)
    if post := find_first(Post):
        post.tags.add(tag)


def find_first(model: type[Model]) -> Any:
    return model._base_manager.order_by("pk").first()


def make_version(number: int) -> Values:
    return {"version": f"v{number + 3}", "api_version": f"{number + 3}.0.0", **RETIRED}


MAKERS: Mapping[type[Model], tuple[Callable[..., Any], Callable[[int], Values]]] = {
    ApiVersion: (factories.make_version, make_version),
    App: (factories.make_app, make_slug),
    FormerAppSlug: (factories.make_former_app_slug, make_app_slug),
    FormerPostSlug: (factories.make_former_post_slug, make_post_slug),
    Page: (
        factories.make_page,
        lambda number: {"slug": NOT_WRITTEN, "title_vi": "", "body_vi": ""},
    ),
    Post: (factories.make_post, make_post_values),
    Principle: (factories.make_principle, make_slug),
    Revision: (Revision.objects.create, lambda number: {"number": number, "changed_at": NOW}),
    ScienceTopic: (factories.make_topic, make_slug),
    Statistic: (factories.make_statistic, lambda number: {"slug": "tracking-sdks"}),
    Studio: (factories.make_studio, lambda number: {}),
    Symbol: (factories.make_symbol, make_symbol),
    Tag: (tag_first_post, lambda number: {"slug": f"new-{number}", "name_en": "New"}),
    TeamMember: (factories.make_team_member, lambda number: {"handle": f"new-{number}"}),
    TimelineEntry: (factories.make_entry, make_slug),
    TimelineLink: (factories.make_link, make_link),
}
"""The factory of each model, and the values of a row with a number."""
