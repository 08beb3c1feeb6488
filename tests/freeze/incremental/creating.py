"""How a row of each kind comes to be."""

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
from tests import rows
from tests.freeze.incremental.corpus import NOT_WRITTEN, NOW, RETIRED

Values = dict[str, Any]


def create(model: type[Model], number: int, values: Values) -> None:
    make, given = MAKERS[model]
    make(**given(number) | values)


def named(number: int) -> Values:
    return {"slug": f"new-{number}"}


def named_in_vietnamese(number: int) -> Values:
    """Every other one is translated, and tells of itself in what it says."""
    translated = {"title_vi": "Mới", "excerpt_vi": "Mới.", "body_vi": "Mới."}
    return named(number) | (translated if number % 2 else {})


def of_app(number: int) -> Values:
    return {"slug": f"old-{number}", "app": first(App)}


def of_post(number: int) -> Values:
    return {"slug": f"old-{number}", "post": first(Post)}


def of_topic(number: int) -> Values:
    return {"topic": first(ScienceTopic), "symbol": f"x{number}", "meaning_en": "Something"}


def of_entry(number: int) -> Values:
    return {"entry": first(TimelineEntry), "label_en": "New", "href": f"https://{number}.example/"}


def make_tag(**values: Any) -> None:
    """A tag of a post: of no other does a reader hear."""
    tag = Tag.objects.create(**values)
    if post := first(Post):
        post.tags.add(tag)


def first(model: type[Model]) -> Any:
    return model._base_manager.order_by("pk").first()


def version(number: int) -> Values:
    return {"version": f"v{number + 3}", "api_version": f"{number + 3}.0.0", **RETIRED}


MAKERS: Mapping[type[Model], tuple[Callable[..., Any], Callable[[int], Values]]] = {
    ApiVersion: (rows.make_version, version),
    App: (rows.make_app, named),
    FormerAppSlug: (FormerAppSlug.objects.create, of_app),
    FormerPostSlug: (FormerPostSlug.objects.create, of_post),
    Page: (rows.make_page, lambda number: {"slug": NOT_WRITTEN, "title_vi": "", "body_vi": ""}),
    Post: (rows.make_post, named_in_vietnamese),
    Principle: (rows.make_principle, named),
    Revision: (Revision.objects.create, lambda number: {"number": number, "changed_at": NOW}),
    ScienceTopic: (rows.make_topic, named),
    Statistic: (rows.make_statistic, lambda number: {"slug": "tracking-sdks"}),
    Studio: (rows.make_studio, lambda number: {}),
    Symbol: (Symbol.objects.create, of_topic),
    Tag: (make_tag, lambda number: {"slug": f"new-{number}", "name_en": "New"}),
    TeamMember: (rows.make_team_member, lambda number: {"handle": f"new-{number}"}),
    TimelineEntry: (rows.make_entry, named),
    TimelineLink: (TimelineLink.objects.create, of_entry),
}
"""For each kind, who makes a row, and of what besides what is told."""
