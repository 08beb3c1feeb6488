"""Small sites in the test database, and freezes of them in this process."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from catalogue import addresses
from catalogue.models import App, AppPicture, Page, Post, PostPicture
from site_mirror.freeze.site import freeze_site
from site_mirror.snapshot.freeze import Options
from site_mirror.snapshot.report import Report
from tests import factories
from tests.freeze import engine
from tests.freeze.commands import compressed_once
from tests.revisions import date_changes

MOMENT, LATER = engine.MOMENT, engine.LATER
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
IMAGE = '![Two waves](/images/an-image.webp "They cross.")'
VIETNAMESE_APP = {"tagline_vi": "Nó đo.", "description_vi": "Nó đo.", "icon_svg": ICON}
VIETNAMESE_POST = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Một bài."}


def make_site() -> None:
    """Create a row of every model; an app, a post and the pages are translated."""
    factories.make_studio()
    factories.make_team_member()
    factories.make_app(**VIETNAMESE_APP)
    next_day = factories.PAST + timedelta(days=1)
    factories.make_post(slug="newer", publish_at=next_day, body_en=IMAGE, **VIETNAMESE_POST)
    factories.make_image()
    factories.make_picture(PostPicture, language="vi", owner=Post.objects.get())
    factories.make_picture(AppPicture, owner=App.objects.get())
    factories.make_post(slug="older", body_en="A long body. " * 200)
    factories.make_topic()
    factories.make_principle()
    factories.make_entry()
    factories.make_statistic()
    factories.make_version()
    make_pages()
    date_changes()


def make_pages() -> None:
    """Create the standing pages with the sections that documents link to."""
    for slug in addresses.STANDING_PAGES:
        factories.make_page(slug=slug, title_vi="Trang", body_vi="Chào.")
    Page.objects.filter(slug="docs-problems").update(body_en="## Rate limit exceeded\n\nWait.")


def rename_app_and_post() -> None:
    """Rename an app and a post, so that each has a former slug."""
    for model, slug in ((App, "an-app"), (Post, "newer")):
        row = model.objects.get(slug=slug)
        row.slug = f"{slug}-renamed"
        row.save()


def deprecate_version() -> None:
    factories.retire_version(
        "v1",
        status="deprecated",
        announced=datetime(2026, 1, 1, tzinfo=UTC),
        deprecation=datetime(2026, 2, 1, tzinfo=UTC),
        sunset=datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC),
    )
    factories.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))


def make_retired_site() -> None:
    """Create a site with a deprecated version of the API and with former slugs."""
    make_site()
    rename_app_and_post()
    deprecate_version()
    date_changes()


def edit_post(post_slug: str, /, **changes: Any) -> None:
    """Change a post as the admin does, by a save."""
    post = Post.objects.get(slug=post_slug)
    for name, value in changes.items():
        setattr(post, name, value)
    post.save()


def freeze_into(folder: Path, moment: datetime = MOMENT, **arguments: Any) -> Report:
    """Freeze the test database; `arguments` are options, deletions, `at` and `jobs`."""
    options = {
        name: arguments.pop(name) for name in [*arguments] if name in Options.__struct_fields__
    }
    with compressed_once():
        return freeze_site(
            folder,
            at=arguments.pop("at", timezone.now()),
            generated_at=moment,
            options=Options(**options),
            **arguments,
        )
