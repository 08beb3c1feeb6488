"""The shipped content has what the contract and the brief require."""

import re
import unicodedata
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model

from catalogue import addresses, questions, shipped
from catalogue.fields import Line, Lines, Prose
from catalogue.icons import validate_icon
from catalogue.localized import Localized
from catalogue.markdown import to_html
from catalogue.models import (
    ApiVersion,
    App,
    AppStatus,
    Category,
    Page,
    Post,
    Principle,
    Revision,
    ScienceTopic,
    Statistic,
    Studio,
    Subject,
    Symbol,
    Tag,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)
from tests.catalogue.shipped_texts import APPS, AT, POSTS, content
from tests.factories import list_content_tables

PAGES = sorted(addresses.STANDING_PAGES)


__all__ = ["content"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]


def test_there_is_one_app_of_each_category_and_every_status_occurs() -> None:
    apps = questions.apps(AT)

    assert [app.slug for app in apps] == ["stashio", "wheria", "phyzix", "estua", "sonarish"]
    assert sorted(app.category for app in apps) == sorted(Category.values)
    assert {app.status for app in apps} == set(AppStatus.values)


def test_everything_that_is_shipped_is_published() -> None:
    for model in (App, Post, ScienceTopic, Principle, TimelineEntry):
        assert model.objects.published(at=AT).count() == model.objects.count()


def test_there_are_at_least_ten_posts_and_one_about_each_app() -> None:
    posts = questions.posts(AT)

    assert len(posts) >= 10
    assert {post.app.slug for post in posts if post.app} == set(APPS)


def test_every_post_is_in_vietnamese() -> None:
    assert questions.posts_in(AT, language="vi").count() == len(POSTS)


def test_there_are_seventeen_science_topics_with_symbols_and_apps() -> None:
    topics = questions.science_topics(AT)

    assert len(topics) == 17
    assert all(topic.symbols.all() and topic.app_slugs for topic in topics)


def test_the_team_is_three_people_for_mobile_backend_and_qa() -> None:
    roles = [member.role_en for member in questions.team(AT)]

    assert [role.split(",")[0] for role in roles] == ["Mobile", "Backend", "QA"]


def test_the_timeline_has_both_subjects_and_all_three_precisions() -> None:
    entries = list(questions.timeline(AT))

    assert len(entries) >= 12
    assert {entry.subject for entry in entries} == set(Subject.values)
    assert {len(entry.date) for entry in entries} == {4, 7, 10}
    assert any(entry.links.all() for entry in entries)


def test_the_statistics_are_the_four_of_the_home_page() -> None:
    shown = {row.slug: row.shown for row in questions.statistics(AT)}

    assert shown == {
        "instruments": "24",
        "audio-sample-rate": "48 kHz",
        "tracking-sdks": "0",
        "shipped-apps": str(App.objects.filter(status=AppStatus.LIVE).count()),
    }


def test_version_one_is_the_only_one_and_is_current() -> None:
    assert list(ApiVersion.objects.values_list("version", "status")) == [("v1", "current")]


def test_every_standing_page_is_written_in_both_languages() -> None:
    pages = Page.objects.exclude(body_vi="").values_list("slug", flat=True)

    assert sorted(pages) == PAGES


@pytest.mark.parametrize("slug", PAGES)
def test_the_summary_of_a_standing_page_fits_a_list_of_results(slug: str) -> None:
    page = Page.objects.get(slug=slug)

    assert 70 <= len(page.summary_en) <= 155
    assert 70 <= len(page.summary_vi) <= 155


@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_every_row_is_valid(model: type[Model]) -> None:
    for row in model._default_manager.all():
        row.full_clean()


@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_every_text_is_composed_and_without_spaces_around(model: type[Model]) -> None:
    fields = [f for f in model._meta.concrete_fields if isinstance(f, Line | Prose | Lines)]
    found = [
        (str(row), field.name)
        for row in model._default_manager.all()
        for field in fields
        for text in [field.get_prep_value(getattr(row, field.name))]
        if not unicodedata.is_normalized("NFC", text) or text != text.strip()
    ]

    assert found == []


@pytest.mark.parametrize("path", shipped.fixture_files(), ids=lambda path: path.name)
def test_every_fixture_is_composed_unix_text(path: Any) -> None:
    source = path.read_bytes().decode("utf-8")

    assert unicodedata.is_normalized("NFC", source)
    assert "\r" not in source
    assert "\t" not in source
    assert source.endswith("\n")


def test_every_fixture_of_the_folder_is_loaded_once() -> None:
    assert sorted(shipped.fixture_files()) == sorted(shipped.FIXTURES.rglob("*.yaml"))


TRANSLATED = [App, TeamMember, ScienceTopic, Symbol, Principle, TimelineEntry, TimelineLink]


@pytest.mark.parametrize("model", [*TRANSLATED, Studio, Statistic], ids=lambda each: each.__name__)
def test_every_localized_text_has_vietnamese(model: type[Model]) -> None:
    pairs = [name for name, value in vars(model).items() if isinstance(value, Localized)]
    found = [
        (str(row), name)
        for row in model._default_manager.all()
        for name in pairs
        if "vi" not in (getattr(row, name) or {})
    ]

    assert pairs
    assert found == []


def test_every_tag_has_vietnamese_and_is_used() -> None:
    assert not Tag.objects.filter(name_vi="").exists()
    assert not Tag.objects.filter(posts=None).exists()


def test_every_formula_of_a_topic_becomes_mathml_without_unknown_commands() -> None:
    for topic in ScienceTopic.objects.all():
        html = to_html(f"${topic.formula_latex}$")

        assert html.count("<math ") == 1, topic
        assert not re.findall(r">\\[A-Za-z]+<", html), topic
        assert "\n" not in topic.formula_text, topic


@pytest.mark.parametrize("slug", APPS)
def test_the_shipped_icons_are_drawings(slug: str) -> None:
    icon = App.objects.get(slug=slug).icon_svg
    validate_icon(icon)

    assert f"<title>{App.objects.get(slug=slug).name}</title>" in icon
    assert "viewBox" in icon


def test_an_app_that_is_not_live_yet_has_no_store_links_and_no_year() -> None:
    for app in App.objects.filter(status=AppStatus.SOON):
        assert (app.since, app.app_store, app.google_play, app.chrome_web_store) == ("",) * 4


def test_an_app_that_is_live_can_be_installed_somewhere() -> None:
    for app in App.objects.filter(status=AppStatus.LIVE):
        assert app.app_store or app.google_play or app.chrome_web_store, app
        assert app.since, app


def everything() -> dict[str, list[dict[str, Any]]]:
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in list_content_tables()
    }


@pytest.mark.postgresql
def test_loading_again_is_refused_where_there_is_content() -> None:
    before = everything()

    assert not shipped.load_fixtures()
    assert everything() == before


@pytest.mark.postgresql
def test_loading_the_same_files_again_changes_nothing_and_dates_no_edit() -> None:
    Revision.objects.update(public_changed_at=AT)
    before = everything()
    call_command("loaddata", *map(str, shipped.fixture_files()), verbosity=0)

    assert everything() == before
    assert not App.objects.exclude(edited_at=None).exists()
    assert not Post.objects.exclude(edited_at=None).exists()
    assert Revision.objects.get().public_changed_at == AT
