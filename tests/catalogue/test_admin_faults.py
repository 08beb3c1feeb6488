"""A broken rule is reported in words at its field."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from catalogue.models import ApiVersion, State
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, form_errors, save_form

pytestmark = pytest.mark.django_db

RUNS_A_SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

POST_FAULTS = [
    ({"slug": "Tilt & gravity"}, "slug", "lower-case letters"),
    ({"body_en": "[run](javascript:alert(1))"}, "body_en", "“javascript:”"),
    ({"title_vi": "Một bài viết"}, "body_vi", "Translate all of these or none"),
]
APP_FAULTS = [
    ({"slug": "tilt.gravity"}, "slug", "lower-case letters"),
    ({"updated": "2026-13"}, "updated", "YYYY-MM"),
    ({"updated": "09/2026"}, "updated", "YYYY-MM"),
    ({"icon_svg": RUNS_A_SCRIPT}, "icon_svg", "script"),
    ({"google_play": "play.google.com"}, "google_play", "https://"),
]


class TestFaults:
    """A broken rule is reported in words at its field."""

    @pytest.mark.parametrize(("typed", "field", "words"), POST_FAULTS)
    def test_a_broken_rule_of_a_post_is_reported_at_its_field(
        self, editor: Client, typed: Any, field: str, words: str
    ) -> None:
        page = save_form(editor, factories.make_post(), **typed)

        assert list(form_errors(page)) == [field]
        assert words in form_errors(page)[field][0]

    @pytest.mark.parametrize(("typed", "field", "words"), APP_FAULTS)
    def test_a_broken_rule_of_an_app_is_reported_at_its_field(
        self, editor: Client, typed: Any, field: str, words: str
    ) -> None:
        page = save_form(editor, factories.make_app(), **typed)

        assert list(form_errors(page)) == [field]
        assert words in form_errors(page)[field][0]

    def test_an_app_without_a_platform_is_refused(self, editor: Client) -> None:
        app = factories.make_app()
        typed = form_data(editor.get(form_address(app)))
        del typed["on_ios"]

        assert "on_ios" in form_errors(editor.post(form_address(app), typed))

    def test_a_second_current_version_is_refused(self, editor: Client) -> None:
        factories.make_version()
        typed = {"version": "v2", "api_version": "2.0.0", "status": "current"}
        page = editor.post(admin_address(ApiVersion, "add"), typed | {"released": "2026-11-01"})

        assert form_errors(page) == {
            "status": ["Another version is current; deprecate that one first."]
        }

    def test_a_sunset_179_days_after_its_announcement_is_refused(self, editor: Client) -> None:
        retired = {
            "status": "deprecated",
            "deprecation_0": "2026-02-01",
            "deprecation_1": "00:00",
            "sunset_0": str(timezone.localdate() + timedelta(days=179)),
            "sunset_1": "00:00",
        }
        page = save_form(editor, factories.make_version(), **retired)

        assert list(form_errors(page)) == ["sunset"]
        assert "180 days" in form_errors(page)["sunset"][0]

    def test_a_year_that_is_mistyped_is_refused(self, editor: Client) -> None:
        for year in ("0026", "9999"):
            page = save_form(editor, factories.make_post(slug=year), publish_at_0=f"{year}-01-01")

            assert form_errors(page)["publish_at"] == [
                f"The year is {int(year)}; years from 1900 to 9998 are allowed."
            ]
            assert f'value="{year}-01-01"' in page.content.decode()

    def test_a_symbol_that_another_editor_has_added_meanwhile_is_refused(
        self, editor: Client
    ) -> None:
        topic = factories.make_topic()
        symbol = {"symbols-0-symbol": "v", "symbols-0-meaning_en": "speed", "symbols-0-position": 0}
        typed = form_data(editor.get(form_address(topic))) | {"symbols-TOTAL_FORMS": "1"} | symbol
        factories.make_symbol(topic=topic, symbol="v")

        page = editor.post(form_address(topic), typed)

        assert "explains the symbol already" in str(page.context["errors"])
        assert topic.symbols.count() == 1

    def test_equal_symbols_of_a_topic_are_refused(self, editor: Client) -> None:
        topic = factories.make_topic()
        factories.make_symbol(topic=topic, symbol="v")
        factories.make_symbol(topic=topic, symbol="f", position=1)
        page = save_form(editor, topic, **{"symbols-1-symbol": "v"})

        assert "duplicate" in str(page.context["errors"])


def test_a_symbol_takes_the_name_of_one_that_is_deleted_in_the_same_save(editor: Client) -> None:
    topic = factories.make_topic()
    deleted = factories.make_symbol(topic=topic, symbol="v")
    symbol = {"symbols-1-symbol": "v", "symbols-1-meaning_en": "speed", "symbols-1-position": 1}
    save_form(editor, topic, **symbol, **{"symbols-TOTAL_FORMS": "2", "symbols-0-DELETE": "on"})

    assert topic.symbols.get().pk != deleted.pk


def test_a_form_publishes_a_row_without_a_moment_now(editor: Client) -> None:
    post = factories.make_post(state=State.DRAFT, publish_at=None)
    before = timezone.now()
    save_form(editor, post, state=State.PUBLISHED)
    post.refresh_from_db()

    assert before <= post.publish_at <= timezone.now()
