"""Content for tests of the API: rows with every field, and rows without optional fields."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Model

from catalogue.models import App, Post, Tag
from tests import factories
from tests.revisions import date_changes

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'
ANNOUNCEMENT = {
    "announced": datetime(2026, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2026, 2, 1, 12, 30, 15, tzinfo=UTC),
    "sunset": datetime(2026, 8, 1, 23, 59, 59, tzinfo=UTC),
}


def find_or_make_tag(slug: str) -> Tag:
    """Return the tag with a slug, which is created if there is none."""
    return Tag.objects.filter(slug=slug).first() or factories.make_tag(slug=slug)


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
    return factories.make_app(**values | changes)


def make_full_post(**changes: Any) -> Post:
    values = {
        "slug": "full-post",
        "title_vi": "Một bài viết",
        "excerpt_vi": "Một câu. Một câu nữa.",
        "body_vi": "Nội dung.",
        "publish_at": datetime(2026, 3, 1, 20, tzinfo=UTC),
    }
    post = factories.make_post(**values | changes)
    post.tags.set([find_or_make_tag("waves"), find_or_make_tag("sound")])
    return post


def make_science() -> None:
    topic = factories.make_topic(
        slug="full-topic",
        position=2,
        name_vi="Sóng",
        explanation_vi="Vận tốc bằng tần số nhân bước sóng.",
    )
    wavelength = {"meaning_en": "Wavelength", "meaning_vi": "Bước sóng"}
    factories.make_symbol(topic, symbol="n", meaning_en="Index", position=2)
    factories.make_symbol(topic, symbol="λ", unit="m", position=1, **wavelength)
    topic.apps.set(App.objects.all())
    factories.make_topic(slug="bare-topic", position=1)
    factories.make_principle(
        slug="full-principle", position=2, title_vi="Một nguyên tắc", statement_vi="Nói một lần."
    )
    factories.make_principle(slug="bare-principle", position=1)


def make_timeline() -> None:
    entry = factories.make_entry(
        slug="full-entry",
        date="2026-02-14",
        subject="founder",
        title_vi="Một cột mốc",
        description_en="It happened.",
        description_vi="Nó đã xảy ra.",
    )
    label = {"label_en": "The app"}
    factories.make_link(entry, href="https://elsewhere.example/a", position=2, **label)
    factories.make_link(entry, href="/apps/full-app", label_vi="Ứng dụng", position=1, **label)
    factories.make_entry(slug="bare-entry", date="2019")


def make_studio_and_people() -> None:
    factories.make_studio(
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
    factories.make_team_member(
        handle="full-member",
        position=2,
        role_vi="Di động",
        description_en="Writes the apps.",
        description_vi="Viết ứng dụng.",
    )
    factories.make_team_member(handle="bare-member", position=1)


def make_service() -> None:
    factories.make_statistic(label_vi="Dụng cụ", unit="pcs", position=2)
    factories.make_statistic(slug="shipped-apps", label_en="Shipped apps", value=None, display="")
    factories.make_version()
    factories.make_version(
        version="v2",
        api_version="2.0.1",
        status="deprecated",
        released=date(2024, 1, 2),
        **ANNOUNCEMENT,
    )


def make_content() -> None:
    """Create two rows of everything: one with every field, one without optional fields.

    Rows that have a position are not created in its order.
    """
    make_full_app()
    factories.make_app(slug="bare-app", position=1)
    make_full_post()
    factories.make_post(slug="bare-post")
    make_science()
    make_timeline()
    make_studio_and_people()
    make_service()
    for slug in ("home", "about", "privacy", "docs-api", "docs-versioning", "docs-problems"):
        factories.make_page(slug=slug)
    date_changes()


PUBLISHABLE: dict[str, Callable[..., Model]] = {
    "app": make_full_app,
    "post": make_full_post,
    "topic": factories.make_topic,
    "principle": factories.make_principle,
    "entry": factories.make_entry,
}
