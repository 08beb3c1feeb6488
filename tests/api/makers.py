"""Content with every field filled, and content with every optional field empty."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Model

from catalogue.models import App, Post, ScienceTopic, State, Symbol, Tag, TimelineLink
from tests import rows

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'
FUTURE = datetime(2126, 1, 1, tzinfo=UTC)
ANNOUNCEMENT = {
    "announced": datetime(2026, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2026, 2, 1, 12, 30, 15, tzinfo=UTC),
    "sunset": datetime(2026, 8, 1, 23, 59, 59, tzinfo=UTC),
}

HIDDEN: dict[str, dict[str, Any]] = {
    "draft": {"state": State.DRAFT, "publish_at": None},
    "withdrawn": {"state": State.DRAFT, "publish_at": rows.PAST},
    "in-review": {"state": State.IN_REVIEW, "publish_at": rows.PAST},
    "scheduled": {"state": State.PUBLISHED, "publish_at": FUTURE},
}


def make_symbol(topic: ScienceTopic, **changes: Any) -> Symbol:
    values = {"topic": topic, "symbol": "λ", "meaning_en": "Wavelength"}
    return Symbol.objects.create(**values | changes)


def make_tag(**changes: Any) -> Tag:
    return Tag.objects.create(**{"slug": "sound", "name_en": "Sound"} | changes)


def a_tag(slug: str) -> Tag:
    """The tag of a slug, made if there is none."""
    return Tag.objects.filter(slug=slug).first() or make_tag(slug=slug)


def make_link(**changes: Any) -> TimelineLink:
    return TimelineLink.objects.create(**{"label_en": "The app", "href": "/apps/x"} | changes)


def make_full_app(**changes: Any) -> App:
    values = {
        "slug": "full-app",
        "position": 2,
        "name": "Full App",
        "tagline_vi": "Nó đo.",
        "spec_en": "A microphone at 48 kHz.",
        "spec_vi": "Một micrô 48 kHz.",
        "description_vi": "Nó đo và cho biết độ chính xác.",
        "category": "health",
        "on_ios": True,
        "on_android": True,
        "on_watch": True,
        "status": "soon",
        "since": "2021",
        "updated": "2026-09",
        "downloads": "45,000+",
        "stack": ["Swift", "FFT"],
        "icon_svg": SQUARE,
        "app_store": "https://apps.apple.com/app/id1",
        "google_play": "https://play.google.com/store/apps/details?id=x.y",
        "chrome_web_store": "https://chromewebstore.google.com/detail/x",
    }
    return rows.make_app(**values | changes)


def make_full_post(**changes: Any) -> Post:
    values = {
        "slug": "full-post",
        "title_vi": "Một bài viết",
        "excerpt_vi": "Một câu. Một câu nữa.",
        "body_vi": "Nội dung.",
        "publish_at": datetime(2026, 3, 1, 20, tzinfo=UTC),
    }
    post = rows.make_post(**values | changes)
    post.tags.set([a_tag("waves"), a_tag("sound")])
    return post


def make_full_topic(*, apps: list[App], **changes: Any) -> ScienceTopic:
    values = {
        "slug": "full-topic",
        "position": 2,
        "name_vi": "Sóng",
        "explanation_vi": "Vận tốc bằng tần số nhân bước sóng.",
    }
    topic = rows.make_topic(**values | changes)
    make_symbol(topic, meaning_vi="Bước sóng", unit="m", position=1)
    make_symbol(topic, symbol="n", meaning_en="Index", position=2)
    topic.apps.set(apps)
    return topic


def make_science(app: App) -> None:
    make_full_topic(apps=[app])
    rows.make_topic(slug="bare-topic", position=1)
    rows.make_principle(
        slug="full-principle", position=2, title_vi="Một nguyên tắc", statement_vi="Nói một lần."
    )
    rows.make_principle(slug="bare-principle", position=1)


def make_timeline() -> None:
    entry = rows.make_entry(
        slug="full-entry",
        date="2026-02-14",
        subject="founder",
        title_vi="Một cột mốc",
        description_en="It happened.",
        description_vi="Nó đã xảy ra.",
    )
    make_link(entry=entry, href="/apps/full-app", label_vi="Ứng dụng", position=1)
    make_link(entry=entry, href="https://elsewhere.example/a", position=2)
    rows.make_entry(slug="bare-entry", date="2019")


def make_studio_and_people() -> None:
    rows.make_studio(
        tagline_en="Instruments in a pocket.",
        tagline_vi="Dụng cụ đo trong túi.",
        description_en="It builds instruments.",
        description_vi="Studio làm dụng cụ đo.",
        founded="2019",
        country="VN",
        country_name="Vietnam",
        github="https://github.com/a-studio",
        languages=["en", "vi"],
    )
    rows.make_team_member(
        handle="full-member",
        position=2,
        role_vi="Di động",
        description_en="Writes the apps.",
        description_vi="Viết ứng dụng.",
    )
    rows.make_team_member(handle="bare-member", position=1)


def make_service() -> None:
    rows.make_statistic(label_vi="Dụng cụ", unit="pcs", position=2)
    rows.make_statistic(
        slug="shipped-apps", label_en="Shipped apps", counts="live_apps", value=None, display=""
    )
    rows.make_version()
    rows.make_version(
        version="v2",
        api_version="2.0.1",
        status="deprecated",
        released=date(2024, 1, 2),
        **ANNOUNCEMENT,
    )


def make_pages() -> None:
    """The pages that the API itself names."""
    for slug in ("home", "about", "privacy", "docs-api", "docs-versioning", "docs-problems"):
        rows.make_page(slug=slug)


@dataclass(frozen=True, slots=True)
class Content:
    """Rows that tests refer to."""

    full_app: App
    bare_app: App
    full_post: Post
    bare_post: Post


def make_content() -> Content:
    """Two of everything: one row with every field filled, one with every optional field empty."""
    full_app, bare_app = make_full_app(), rows.make_app(slug="bare-app", position=1)
    full_post, bare_post = make_full_post(), rows.make_post(slug="bare-post")
    make_science(full_app)
    make_timeline()
    make_studio_and_people()
    make_service()
    make_pages()
    return Content(full_app, bare_app, full_post, bare_post)


PUBLISHABLE: dict[str, Callable[..., Model]] = {
    "app": make_full_app,
    "post": make_full_post,
    "topic": rows.make_topic,
    "principle": rows.make_principle,
    "entry": rows.make_entry,
}
