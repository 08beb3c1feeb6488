"""The smallest site with two rows of every model, and with everything that a row can show."""

from datetime import UTC, date, datetime, timedelta

from catalogue import addresses
from catalogue.models import (
    App,
    AppPicture,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Page,
    PostPicture,
    State,
    Symbol,
    Tag,
    TeamMember,
    TimelineLink,
)
from tests import factories

NOW = datetime(2030, 1, 1, tzinfo=UTC)
DUE = datetime(2030, 6, 1, tzinfo=UTC)

SCHEDULED = {"state": State.PUBLISHED, "publish_at": DUE}
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
NOT_WRITTEN = "docs-licence"
"""The standing page that has no row."""

RETIRED = {
    "status": "deprecated",
    "announced": datetime.now(UTC),
    "deprecation": datetime(2026, 2, 1, tzinfo=UTC),
    "sunset": datetime(2099, 12, 31, tzinfo=UTC),
}
ENDED = {
    "announced": datetime(2025, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2025, 2, 1, tzinfo=UTC),
    "sunset": datetime(2026, 1, 1, tzinfo=UTC),
}
"""Moments of a version that may have the status sunset and does not have it yet."""
TRANSLATION = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Một bài."}


def make_site() -> None:
    make_studio()
    make_apps()
    make_posts()
    make_science()
    make_timeline()
    make_numbers()
    make_pages()


def make_studio() -> None:
    factories.make_studio(
        tagline_en="We measure.",
        tagline_vi="Chúng tôi đo.",
        description_en="A studio that measures.",
        description_vi="Một xưởng đo.",
        founded="2019",
        country="VN",
        country_name="Vietnam",
        languages=["en", "vi"],
    )
    factories.make_team_member(handle="linh", position=1, role_vi="Di động", description_en="Apps.")
    factories.make_team_member(handle="minh", position=2)


def make_apps() -> None:
    factories.make_app(
        slug="first",
        position=1,
        tagline_vi="Nó đo.",
        spec_en="A sensor.",
        spec_vi="Một cảm biến.",
        description_vi="Nó đo.",
        reading_en="45.2° ± 0.3°",
        stack=["One", "Two"],
        on_android=True,
        icon_svg=ICON,
        app_store="https://apps.example/first",
    )
    factories.make_app(slug="second", position=2)
    factories.make_app(slug="later-app", position=3, **SCHEDULED)


def make_posts() -> None:
    first, second = App.objects.filter(slug__in=["first", "second"]).order_by("slug")
    light = Tag.objects.create(slug="light", name_en="Light", name_vi="Ánh sáng")
    sound = Tag.objects.create(slug="sound", name_en="Sound")
    linh = TeamMember.objects.get(handle="linh")
    newest = factories.make_post(slug="newest", app=first, author=linh, **TRANSLATION | on_day(3))
    middle = factories.make_post(slug="middle", app=second, body_en="Words. " * 300, **on_day(2))
    oldest = factories.make_post(slug="oldest", **TRANSLATION | on_day(1))
    scheduled = factories.make_post(slug="scheduled", **TRANSLATION | SCHEDULED)
    factories.make_post(slug="draft", state=State.DRAFT)
    newest.tags.set([light, sound])
    middle.tags.set([light])
    scheduled.tags.set([sound])
    factories.make_picture(PostPicture, owner=newest)
    factories.make_picture(AppPicture, owner=first, language="vi")
    FormerAppSlug.objects.create(slug="once-first", owner=first)
    FormerAppSlug.objects.create(slug="once-second", owner=second)
    FormerPostSlug.objects.create(slug="once-middle", owner=middle)
    FormerPostSlug.objects.create(slug="once-oldest", owner=oldest)
    FormerTagSlug.objects.create(slug="once-light", owner=light)


def make_blog(length: int) -> None:
    """Create translated posts, each with its number in its text."""
    for number in range(length):
        said = dict.fromkeys(("title_en", "excerpt_en", "body_en"), f"Text {number}.")
        factories.make_post(slug=f"n{number}", **said, **TRANSLATION | on_day(10 + number))


def on_day(number: int) -> dict[str, datetime]:
    return {"publish_at": factories.PAST + timedelta(days=number)}


def make_science() -> None:
    waves = factories.make_topic(slug="waves", position=1, name_vi="Sóng", explanation_vi="Nhanh.")
    factories.make_topic(slug="tilt", position=2)
    factories.make_topic(slug="later-topic", position=3, **SCHEDULED)
    waves.apps.set(App.objects.filter(slug__in=["first", "later-app"]))
    for position, symbol in enumerate("vf", start=1):
        Symbol.objects.create(topic=waves, position=position, symbol=symbol, meaning_en="A number")
    factories.make_principle(slug="honest", position=1, title_vi="Thật", statement_vi="Nói thật.")
    factories.make_principle(slug="small", position=2)


def make_timeline() -> None:
    values = {"title_vi": "Bắt đầu", "description_en": "So."}
    began = factories.make_entry(slug="began", date="2019", **values)
    factories.make_entry(slug="grew", date="2021-06", subject="founder")
    factories.make_entry(slug="later-entry", date="2029", **SCHEDULED)
    for position, href in enumerate(("/apps/second", "https://news.example/"), start=1):
        TimelineLink.objects.create(entry=began, position=position, label_en="More", href=href)


def make_numbers() -> None:
    counted = {"value": None, "display": ""}
    factories.make_statistic(slug="shipped-apps", position=2, label_en="Shipped", **counted)
    factories.make_statistic(slug="instruments", position=1)
    factories.make_version()
    factories.make_version(
        version="v2", api_version="2.0.0", released=date(2024, 1, 1), **RETIRED | ENDED
    )


def make_pages() -> None:
    """Create the standing pages with the sections that documents link to."""
    for slug in addresses.STANDING_PAGES:
        if slug != NOT_WRITTEN:
            factories.make_page(slug=slug, title_vi="Trang", summary_en="A page.", body_vi="Chào.")
    problems = "## Rate limit exceeded\n\nWait."
    Page.objects.filter(slug="docs-problems").update(body_en=problems)
    Page.objects.filter(slug="privacy").update(title_vi="", body_vi="")
