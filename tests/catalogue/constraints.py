"""Every named constraint, with values that break it and no other rule."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from django.db.models import BaseConstraint, Model

from catalogue.models import AppPicture, PostPicture, State, TagPicture
from tests.factories import (
    FACTORIES,
    list_tables,
    make_link,
    make_page,
    make_picture,
    make_post,
    make_revision,
    make_statistic,
    make_studio,
    make_symbol,
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

    make: Callable[..., Model]
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


def make_second_picture(table: Any) -> Any:
    return make_picture(table, language="vi", owner=make_picture(table).owner)


def make_second_symbol() -> Model:
    return make_symbol(topic=make_symbol().topic, symbol="v")


def make_second_link() -> Model:
    return make_link(entry=make_link().entry, href="/b")


NO_FTP = "ftp://a.example"
BAD_VALUES: dict[str, dict[str, dict[str, Any]]] = {
    "is_not_empty": {
        "app": {"name": "", "tagline_en": "", "description_en": ""},
        "image": {"alt_en": "", "alt_vi": ""},
        "page": {"title_en": "", "body_en": ""},
        "post": {"title_en": "", "excerpt_en": "", "body_en": ""},
        "principle": {"title_en": "", "statement_en": ""},
        "sciencetopic": dict.fromkeys(
            ["name_en", "formula_text", "formula_latex", "explanation_en"], ""
        ),
        "statistic": {"label_en": ""},
        "studio": {"name": ""},
        "symbol": {"symbol": "", "meaning_en": ""},
        "tag": {"name_en": ""},
        "teammember": {"role_en": ""},
        "timelineentry": {"title_en": ""},
        "timelinelink": {"label_en": ""},
    },
    "has_its_pattern": {
        "apiversion": {"version": "1", "api_version": "1.0"},
        "app": {
            "slug": "An App",
            "since": "21",
            "updated": "2026-13",
            **dict.fromkeys(["app_store", "google_play", "chrome_web_store"], NO_FTP),
        },
        "formerappslug": {"slug": "An App"},
        "formerpostslug": {"slug": "A Post"},
        "formertagslug": {"slug": "A Tag"},
        "image": {"slug": "A.B"},
        "post": {"slug": "A Post"},
        "principle": {"slug": "A.B"},
        "sciencetopic": {"slug": "A.B"},
        "studio": {
            "founded": "19",
            "github": "github.com/a",
            "security_contact": "security@studio.example",
            "security_policy": "http://a.example",
        },
        "tag": {"slug": "A.B"},
        "teammember": {"handle": "Linh"},
        "timelineentry": {"slug": "A.B", "date": "2026-13"},
        "timelinelink": {"href": "apps/wheria"},
    },
    "is_one_of_its_values": {
        "app": {"category": "games", "status": "beta", "state": "hidden"},
        "image": {"format": "gif"},
        "post": {"state": "hidden"},
        "principle": {"state": "hidden"},
        "sciencetopic": {"state": "hidden"},
        "statistic": {"slug": "stars"},
        "timelineentry": {"subject": "app", "state": "hidden"},
    },
}
"""Values that break the constraint of a column alone, by the end of its name."""

TOO_LONG = {
    "app": ("spec_en", 20_001),
    "page": ("body_en", 100_001),
    "post": ("body_en", 100_001),
    "principle": ("statement_en", 20_001),
    "sciencetopic": ("explanation_en", 20_001),
    "studio": ("description_en", 20_001),
    "teammember": ("description_en", 20_001),
    "timelineentry": ("description_en", 20_001),
}
TRANSLATED = [
    ("app", "reading"),
    ("app", "spec"),
    ("page", "summary"),
    ("teammember", "description"),
    ("timelineentry", "description"),
]
MODELS = {model._meta.model_name or "": make for model, make in FACTORIES.items()}

BREACHES = {
    **{
        f"{model}_{field}_{rule}": Breach(MODELS[model], {field: value}, field)
        for rule, models in BAD_VALUES.items()
        for model, values in models.items()
        for field, value in values.items()
    },
    **{
        f"{model}_texts_have_their_length": Breach(MODELS[model], {field: "a" * length}, field)
        for model, (field, length) in TOO_LONG.items()
    },
    **{
        f"{model}_{name}_vi_needs_{name}_en": Breach(
            MODELS[model], {f"{name}_en": "", f"{name}_vi": "Tiếng Việt"}, f"{name}_en"
        )
        for model, name in TRANSLATED
    },
    **{
        f"{model}_published_has_a_moment": Breach(
            MODELS[model], {"state": State.PUBLISHED, "publish_at": None}, "publish_at"
        )
        for model in ("app", "post", "principle", "sciencetopic", "timelineentry")
    },
    "apiversion_status_is_one_of_its_values": Breach(
        make_deprecated_version, {"status": "retired"}, "status"
    ),
    "apiversion_current_is_one": Breach(
        make_second_version,
        {"status": "current", "announced": None, "deprecation": None, "sunset": None},
        "status",
    ),
    "apiversion_current_has_no_announcement": Breach(
        make_deprecated_version, {"status": "current"}, "status"
    ),
    "apiversion_sunset_is_180_days_after_its_announcement": Breach(
        make_deprecated_version, {"sunset": ANNOUNCED + timedelta(days=180, seconds=-1)}, "sunset"
    ),
    "apiversion_deprecation_is_not_before_its_release": Breach(
        make_deprecated_version, {"deprecation": datetime(2025, 2, 9, tzinfo=UTC)}, "deprecation"
    ),
    "apiversion_sunset_is_not_before_its_deprecation": Breach(
        make_deprecated_version, {"deprecation": ANNOUNCED + timedelta(days=181)}, "deprecation"
    ),
    "app_runs_on_a_platform": Breach(MODELS["app"], {"on_ios": False}, "on_ios"),
    "image_has_a_size": Breach(MODELS["image"], {"height": 0}, "width"),
    "page_slug_is_a_standing_page": Breach(make_page, {"slug": "nowhere"}, "slug"),
    **{
        f"one_{table._meta.model_name}_a_language": Breach(
            partial(make_second_picture, table), {"language": "en"}, "__all__"
        )
        for table in (AppPicture, PostPicture, TagPicture)
    },
    "page_is_translated_whole_or_not": Breach(make_page, {"title_vi": "Trang"}, "body_vi"),
    "post_is_translated_whole_or_not": Breach(
        make_post, {"title_vi": "Bài", "excerpt_vi": "Hai câu."}, "body_vi"
    ),
    "revision_is_one_row": Breach(make_revision, {"id": 2}, "id"),
    "statistic_value_is_typed_or_counted": Breach(make_statistic, {"value": None}, "value"),
    "statistic_display_goes_with_its_value": Breach(make_statistic, {"display": ""}, "display"),
    "studio_is_one_row": Breach(make_studio, {"id": 2}, "name"),
    "studio_email_is_an_address": Breach(make_studio, {"email": "not an address"}, "email"),
    "studio_country_is_of_iso_3166": Breach(make_studio, {"country": "ZZ"}, "country"),
    "studio_country_name_needs_its_country": Breach(
        make_studio, {"country": "", "country_name": "Vietnam"}, "country"
    ),
    "studio_languages_are_codes": Breach(make_studio, {"languages": ["English"]}, "languages"),
    "symbol_is_explained_once_a_topic": Breach(make_second_symbol, {"symbol": "f"}, "symbol"),
    "timelinelink_is_given_once": Breach(make_second_link, {"href": "/a"}, "href"),
}
