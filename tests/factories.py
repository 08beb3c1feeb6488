"""Factories of valid rows, one for each model: a test passes only the values that it needs."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group

from catalogue.models import (
    ApiVersion,
    App,
    FormerAppSlug,
    FormerPostSlug,
    Page,
    Post,
    Principle,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)

PAST = datetime(2026, 1, 5, 2, tzinfo=UTC)
NOW = PAST + timedelta(days=30)
FUTURE = NOW + timedelta(seconds=1)
SHOWN: dict[str, Any] = {"state": State.PUBLISHED, "publish_at": PAST}
EMPTY_ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>'


def make_studio(**changes: Any) -> Studio:
    return Studio.objects.create(**{"name": "A Studio", "email": "hello@studio.example"} | changes)


def make_team_member(**changes: Any) -> TeamMember:
    return TeamMember.objects.create(**{"handle": "linh", "role_en": "Mobile"} | changes)


def make_app(**changes: Any) -> App:
    values = {
        "slug": "an-app",
        "name": "An App",
        "tagline_en": "It measures.",
        "description_en": "It measures and says how well.",
        "category": "utilities",
        "status": "live",
        "on_ios": True,
    }
    return App.objects.create(**values | SHOWN | changes)


def make_translated_app(**changes: Any) -> App:
    """Create an app with a page in Vietnamese and an icon."""
    return make_app(**{"description_vi": "Mô tả", "icon_svg": EMPTY_ICON} | changes)


def make_former_app_slug(app: App | None = None, slug: str = "an-old-app") -> FormerAppSlug:
    return FormerAppSlug.objects.create(slug=slug, app=app or make_app())


def make_post(**changes: Any) -> Post:
    values = {
        "slug": "a-post",
        "title_en": "A post",
        "excerpt_en": "One sentence. Another one.",
        "body_en": "A body.",
    }
    return Post.objects.create(**values | SHOWN | changes)


def make_translated_post(**changes: Any) -> Post:
    values = {"title_vi": "Bài", "excerpt_vi": "Tóm tắt.", "body_vi": "Thân bài."}
    return make_post(**values | changes)


def make_former_post_slug(post: Post | None = None, slug: str = "an-old-post") -> FormerPostSlug:
    return FormerPostSlug.objects.create(slug=slug, post=post or make_post())


def make_tag(**changes: Any) -> Tag:
    return Tag.objects.create(**{"slug": "a-tag", "name_en": "A tag"} | changes)


def make_topic(**changes: Any) -> ScienceTopic:
    values = {
        "slug": "a-topic",
        "name_en": "A topic",
        "formula_text": "v = f λ",
        "formula_latex": r"v = f \lambda",
        "explanation_en": "Speed is frequency times wavelength.",
    }
    return ScienceTopic.objects.create(**values | SHOWN | changes)


def make_symbol(topic: ScienceTopic | None = None, **changes: Any) -> Symbol:
    values = {"topic": topic or make_topic(), "symbol": "f", "meaning_en": "frequency"}
    return Symbol.objects.create(**values | changes)


def make_principle(**changes: Any) -> Principle:
    values = {"slug": "a-principle", "title_en": "A principle", "statement_en": "Say it once."}
    return Principle.objects.create(**values | SHOWN | changes)


def make_entry(**changes: Any) -> TimelineEntry:
    values = {"slug": "an-entry", "date": "2021-06", "subject": "studio", "title_en": "An entry"}
    return TimelineEntry.objects.create(**values | SHOWN | changes)


def make_link(entry: TimelineEntry | None = None, **changes: Any) -> TimelineLink:
    values = {"entry": entry or make_entry(), "label_en": "A link", "href": "/a"}
    return TimelineLink.objects.create(**values | changes)


def make_statistic(**changes: Any) -> Statistic:
    values = {"slug": "instruments", "label_en": "Instruments", "value": 24, "display": "24"}
    return Statistic.objects.create(**values | changes)


def make_version(**changes: Any) -> ApiVersion:
    """Create a version as a restored backup does, with an announcement of the past."""
    values = {
        "version": "v1",
        "api_version": "1.0.0",
        "status": "current",
        "released": date(2025, 2, 10),
    }
    version = ApiVersion(**values | changes)
    version.save_base(raw=True, force_insert=True)
    return version


def retire_version(version: str, **changes: Any) -> ApiVersion:
    """Replace a version by one whose retirement was announced long ago."""
    former = ApiVersion.objects.get(version=version)
    values = {"api_version": former.api_version, "released": former.released}
    former.delete()
    return make_version(**{"version": version, "pk": former.pk, **values, **changes})


def make_page(**changes: Any) -> Page:
    values = {"slug": "home", "title_en": "Home", "body_en": "Welcome."}
    return Page.objects.create(**values | changes)


def make_one_of_each() -> None:
    """Create a row of every model that the admin edits, with a row in every inline."""
    make_studio()
    make_team_member()
    make_statistic()
    make_page()
    make_version()
    make_principle()
    app = make_app(icon_svg=EMPTY_ICON, stack=["Swift"])
    make_former_app_slug(app, "an-older-app")
    post = make_post(app=app, body_en="A body.\n\n## Its end")
    post.tags.add(make_tag())
    make_former_post_slug(post, "an-older-post")
    make_symbol(symbol="v", meaning_en="speed")
    make_link(label_en="An app", href="/apps/an-app")
    Group.objects.create(name="Writers")
