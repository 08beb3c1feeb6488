"""Valid rows for tests: name only what the test is about."""

from datetime import UTC, date, datetime
from typing import Any

from catalogue.models import (
    ApiVersion,
    App,
    Page,
    Post,
    Principle,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    TeamMember,
    TimelineEntry,
)

PAST = datetime(2026, 1, 5, 2, tzinfo=UTC)
SHOWN: dict[str, Any] = {"state": State.PUBLISHED, "publish_at": PAST}


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


def make_post(**changes: Any) -> Post:
    values = {
        "slug": "a-post",
        "title_en": "A post",
        "excerpt_en": "One sentence. Another one.",
        "body_en": "A body.",
    }
    return Post.objects.create(**values | SHOWN | changes)


def make_topic(**changes: Any) -> ScienceTopic:
    values = {
        "slug": "a-topic",
        "name_en": "A topic",
        "formula_text": "v = f λ",
        "formula_latex": r"v = f \lambda",
        "explanation_en": "Speed is frequency times wavelength.",
    }
    return ScienceTopic.objects.create(**values | SHOWN | changes)


def make_principle(**changes: Any) -> Principle:
    values = {"slug": "a-principle", "title_en": "A principle", "statement_en": "Say it once."}
    return Principle.objects.create(**values | SHOWN | changes)


def make_entry(**changes: Any) -> TimelineEntry:
    values = {"slug": "an-entry", "date": "2021-06", "subject": "studio", "title_en": "An entry"}
    return TimelineEntry.objects.create(**values | SHOWN | changes)


def make_statistic(**changes: Any) -> Statistic:
    values = {"slug": "instruments", "label_en": "Instruments", "value": 24, "display": "24"}
    return Statistic.objects.create(**values | changes)


def make_version(**changes: Any) -> ApiVersion:
    """As a restored backup brings it: with the announcement that is told."""
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
    """Put a version with an announcement of long ago in the place of one."""
    former = ApiVersion.objects.get(version=version)
    values = {"api_version": former.api_version, "released": former.released}
    former.delete()
    return make_version(**{"version": version, "pk": former.pk, **values, **changes})


def make_page(**changes: Any) -> Page:
    values = {"slug": "home", "title_en": "Home", "body_en": "Welcome."}
    return Page.objects.create(**values | changes)
