"""The shipped content has what the contract and the brief require."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model

from catalogue import addresses, questions, shipped
from catalogue.models import ApiVersion, App, AppStatus, Category, Page, Post, Revision, Tag
from catalogue.triggers.revision import PUBLISHABLE
from tests.factories import list_content_tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]

AT = datetime(2026, 11, 21, tzinfo=UTC)


def test_there_is_one_app_of_each_category_and_every_status_occurs() -> None:
    apps = questions.apps(AT)

    assert [app.slug for app in apps] == ["stashio", "wheria", "phyzix", "estua", "sonarish"]
    assert sorted(app.category for app in apps) == sorted(Category.values)
    assert {app.status for app in apps} == set(AppStatus.values)


def test_everything_that_is_shipped_is_published() -> None:
    for model in PUBLISHABLE:
        assert model.objects.published(at=AT).count() == model.objects.count()


def test_there_is_as_much_of_everything_as_the_site_shows() -> None:
    posts, topics = questions.posts(AT), questions.science_topics(AT)
    roles = [member.role_en.split(",")[0] for member in questions.team(AT)]

    assert len(posts) >= 10
    assert {post.app.slug for post in posts if post.app} == {app.slug for app in App.objects.all()}
    assert not Tag.objects.filter(posts=None).exists()
    assert len(topics) == 17
    assert all(topic.symbols.all() and topic.app_slugs for topic in topics)
    assert roles == ["Mobile", "Backend", "QA"]
    assert list(ApiVersion.objects.values_list("version", "status")) == [("v1", "current")]
    assert {page.slug for page in Page.objects.all()} == {*addresses.STANDING_PAGES}


def test_the_statistics_are_the_four_of_the_home_page() -> None:
    shown = {row.slug: row.shown for row in questions.statistics(AT)}

    assert shown == {
        "instruments": "24",
        "audio-sample-rate": "48 kHz",
        "tracking-sdks": "0",
        "shipped-apps": str(App.objects.filter(status=AppStatus.LIVE).count()),
    }


@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_every_row_is_valid(model: type[Model]) -> None:
    for row in model._default_manager.all():
        row.full_clean()


def test_every_text_is_in_both_languages() -> None:
    for model in list_content_tables():
        texts = [f.name for f in model._meta.concrete_fields if f.name.endswith(("_en", "_vi"))]
        for row in model._default_manager.all():
            assert [name for name in texts if not getattr(row, name)] == [], row


def everything() -> dict[str, list[dict[str, Any]]]:
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in list_content_tables()
    }


@pytest.mark.postgresql
def test_loading_again_is_refused_and_loading_the_same_files_dates_no_edit() -> None:
    Revision.objects.update(public_changed_at=AT)
    before = everything()
    assert not shipped.load_fixtures()
    assert everything() == before
    call_command("loaddata", *shipped.fixture_files(), verbosity=0)

    assert everything() == before
    assert not App.objects.exclude(edited_at=None).exists()
    assert not Post.objects.exclude(edited_at=None).exists()
    assert Revision.objects.get().public_changed_at == AT
