"""Every named constraint, with values that break it and no other rule."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import BaseConstraint, Model

from catalogue.models import App, Post, Principle, ScienceTopic, State, TimelineEntry
from tests import factories
from tests.catalogue.every_model import list_tables, make_revision
from tests.factories import (
    make_app,
    make_entry,
    make_page,
    make_post,
    make_principle,
    make_statistic,
    make_studio,
    make_team_member,
    make_topic,
    make_version,
)

ANNOUNCED = datetime.now(UTC).replace(microsecond=0) - timedelta(days=60)
RETIREMENT: dict[str, Any] = {
    "status": "deprecated",
    "announced": ANNOUNCED,
    "deprecation": ANNOUNCED + timedelta(days=30),
    "sunset": ANNOUNCED + timedelta(days=180),
}


@dataclass(frozen=True, slots=True)
class Breach:
    """A valid row, values that break the constraint, and the field with the error message."""

    make: Callable[[], Model]
    values: dict[str, Any]
    field: str


def constraints() -> dict[str, tuple[type[Model], BaseConstraint]]:
    return {
        constraint.name: (model, constraint)
        for model in list_tables()
        for constraint in model._meta.constraints
    }


def make_deprecated_version() -> Model:
    return make_version(**RETIREMENT)


def make_second_version() -> Model:
    make_version()
    return make_version(version="v2", released=date(2026, 1, 1), **RETIREMENT)


def make_second_symbol() -> Model:
    first = factories.make_symbol()
    return factories.make_symbol(topic=first.topic, symbol="v")


def make_second_link() -> Model:
    first = factories.make_link()
    return factories.make_link(entry=first.entry, href="/b")


def without_text(make: Callable[[], Model], field: str) -> Breach:
    return Breach(make, {field: ""}, field)


def without_english(make: Callable[[], Model], name: str) -> Breach:
    return Breach(make, {f"{name}_en": "", f"{name}_vi": "Tiếng Việt"}, f"{name}_en")


def with_value(make: Callable[[], Model], field: str, value: Any) -> Breach:
    return Breach(make, {field: value}, field)


NO_DATE = {"announced": None, "deprecation": None, "sunset": None}
PUBLISHABLE: dict[type[Model], Callable[..., Model]] = {
    App: make_app,
    Post: make_post,
    ScienceTopic: make_topic,
    Principle: make_principle,
    TimelineEntry: make_entry,
}

TOO_LONG: dict[str, tuple[Callable[[], Model], str, int]] = {
    "app": (make_app, "spec_en", 20_001),
    "page": (make_page, "body_en", 100_001),
    "post": (make_post, "body_en", 100_001),
    "principle": (make_principle, "statement_en", 20_001),
    "sciencetopic": (make_topic, "explanation_en", 20_001),
    "studio": (make_studio, "description_en", 20_001),
    "teammember": (make_team_member, "description_en", 20_001),
    "timelineentry": (make_entry, "description_en", 20_001),
}

BREACHES = {
    **{
        f"{model}_texts_have_their_length": with_value(make, field, "a" * length)
        for model, (make, field, length) in TOO_LONG.items()
    },
    **{
        f"{model._meta.model_name}_state_is_one_of_its_values": with_value(make, "state", "hidden")
        for model, make in PUBLISHABLE.items()
    },
    **{
        f"{model._meta.model_name}_published_has_a_moment": Breach(
            make, {"state": State.PUBLISHED, "publish_at": None}, "publish_at"
        )
        for model, make in PUBLISHABLE.items()
    },
    "apiversion_version_has_its_pattern": with_value(make_version, "version", "1"),
    "apiversion_api_version_has_its_pattern": with_value(make_version, "api_version", "1.0"),
    "apiversion_status_is_one_of_its_values": with_value(
        make_deprecated_version, "status", "retired"
    ),
    "apiversion_current_is_one": Breach(
        make_second_version, {"status": "current", **NO_DATE}, "status"
    ),
    "apiversion_current_has_no_announcement": with_value(
        make_deprecated_version, "status", "current"
    ),
    "apiversion_sunset_is_180_days_after_its_announcement": with_value(
        make_deprecated_version, "sunset", ANNOUNCED + timedelta(days=180, seconds=-1)
    ),
    "apiversion_deprecation_is_not_before_its_release": with_value(
        make_deprecated_version, "deprecation", datetime(2025, 2, 9, tzinfo=UTC)
    ),
    "apiversion_sunset_is_not_before_its_deprecation": with_value(
        make_deprecated_version, "deprecation", ANNOUNCED + timedelta(days=181)
    ),
    "app_slug_has_its_pattern": with_value(make_app, "slug", "An App"),
    "app_name_is_not_empty": without_text(make_app, "name"),
    "app_tagline_en_is_not_empty": without_text(make_app, "tagline_en"),
    "app_description_en_is_not_empty": without_text(make_app, "description_en"),
    "app_spec_vi_needs_spec_en": without_english(make_app, "spec"),
    "app_category_is_one_of_its_values": with_value(make_app, "category", "games"),
    "app_status_is_one_of_its_values": with_value(make_app, "status", "beta"),
    "app_runs_on_a_platform": with_value(make_app, "on_ios", False),
    "app_since_has_its_pattern": with_value(make_app, "since", "21"),
    "app_updated_has_its_pattern": with_value(make_app, "updated", "2026-13"),
    "app_app_store_has_its_pattern": with_value(make_app, "app_store", "ftp://a.example"),
    "app_google_play_has_its_pattern": with_value(make_app, "google_play", "ftp://a.example"),
    "app_chrome_web_store_has_its_pattern": with_value(
        make_app, "chrome_web_store", "ftp://a.example"
    ),
    "formerappslug_slug_has_its_pattern": with_value(
        factories.make_former_app_slug, "slug", "An App"
    ),
    "formerpostslug_slug_has_its_pattern": with_value(
        factories.make_former_post_slug, "slug", "A Post"
    ),
    "page_slug_is_a_standing_page": with_value(make_page, "slug", "nowhere"),
    "page_title_en_is_not_empty": without_text(make_page, "title_en"),
    "page_body_en_is_not_empty": without_text(make_page, "body_en"),
    "page_is_translated_whole_or_not": Breach(make_page, {"title_vi": "Trang"}, "body_vi"),
    "page_summary_vi_needs_summary_en": without_english(make_page, "summary"),
    "post_slug_has_its_pattern": with_value(make_post, "slug", "A Post"),
    "post_title_en_is_not_empty": without_text(make_post, "title_en"),
    "post_excerpt_en_is_not_empty": without_text(make_post, "excerpt_en"),
    "post_body_en_is_not_empty": without_text(make_post, "body_en"),
    "post_is_translated_whole_or_not": Breach(
        make_post, {"title_vi": "Bài", "excerpt_vi": "Hai câu."}, "body_vi"
    ),
    "principle_slug_has_its_pattern": with_value(make_principle, "slug", "A.B"),
    "principle_title_en_is_not_empty": without_text(make_principle, "title_en"),
    "principle_statement_en_is_not_empty": without_text(make_principle, "statement_en"),
    "revision_is_one_row": with_value(make_revision, "id", 2),
    "sciencetopic_slug_has_its_pattern": with_value(make_topic, "slug", "A.B"),
    "sciencetopic_name_en_is_not_empty": without_text(make_topic, "name_en"),
    "sciencetopic_formula_text_is_not_empty": without_text(make_topic, "formula_text"),
    "sciencetopic_formula_latex_is_not_empty": without_text(make_topic, "formula_latex"),
    "sciencetopic_explanation_en_is_not_empty": without_text(make_topic, "explanation_en"),
    "statistic_slug_is_one_of_its_values": with_value(make_statistic, "slug", "stars"),
    "statistic_shipped_apps_are_counted": Breach(
        make_statistic, {"slug": "shipped-apps"}, "counts"
    ),
    "statistic_label_en_is_not_empty": without_text(make_statistic, "label_en"),
    "statistic_counts_is_one_of_its_values": Breach(
        make_statistic, {"counts": "stars", "value": None, "display": ""}, "counts"
    ),
    "statistic_value_is_typed_or_counted": with_value(make_statistic, "value", None),
    "statistic_display_goes_with_its_value": with_value(make_statistic, "display", ""),
    "studio_is_one_row": Breach(make_studio, {"id": 2}, "name"),
    "studio_name_is_not_empty": without_text(make_studio, "name"),
    "studio_email_is_an_address": with_value(make_studio, "email", "not an address"),
    "studio_founded_has_its_pattern": with_value(make_studio, "founded", "19"),
    "studio_country_is_of_iso_3166": with_value(make_studio, "country", "ZZ"),
    "studio_github_has_its_pattern": with_value(make_studio, "github", "github.com/a"),
    "studio_security_contact_has_its_pattern": with_value(
        make_studio, "security_contact", "security@studio.example"
    ),
    "studio_security_policy_has_its_pattern": with_value(
        make_studio, "security_policy", "http://a.example"
    ),
    "studio_country_name_needs_its_country": Breach(
        make_studio, {"country": "", "country_name": "Vietnam"}, "country"
    ),
    "studio_languages_are_codes": with_value(make_studio, "languages", ["English"]),
    "symbol_is_explained_once_a_topic": with_value(make_second_symbol, "symbol", "f"),
    "symbol_symbol_is_not_empty": without_text(factories.make_symbol, "symbol"),
    "symbol_meaning_en_is_not_empty": without_text(factories.make_symbol, "meaning_en"),
    "tag_slug_has_its_pattern": with_value(factories.make_tag, "slug", "A.B"),
    "tag_name_en_is_not_empty": without_text(factories.make_tag, "name_en"),
    "teammember_handle_has_its_pattern": with_value(make_team_member, "handle", "Linh"),
    "teammember_role_en_is_not_empty": without_text(make_team_member, "role_en"),
    "teammember_description_vi_needs_description_en": without_english(
        make_team_member, "description"
    ),
    "timelineentry_slug_has_its_pattern": with_value(make_entry, "slug", "A.B"),
    "timelineentry_date_has_its_pattern": with_value(make_entry, "date", "2026-13"),
    "timelineentry_subject_is_one_of_its_values": with_value(make_entry, "subject", "app"),
    "timelineentry_title_en_is_not_empty": without_text(make_entry, "title_en"),
    "timelineentry_description_vi_needs_description_en": without_english(make_entry, "description"),
    "timelinelink_is_given_once": with_value(make_second_link, "href", "/a"),
    "timelinelink_label_en_is_not_empty": without_text(factories.make_link, "label_en"),
    "timelinelink_href_has_its_pattern": with_value(factories.make_link, "href", "apps/wheria"),
}
