"""A broken rule is told in words at the field that an editor has to correct."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from catalogue.models import ApiVersion, State
from tests import admin_rows, rows
from tests.admin_pages import address, as_sent, errors, form_of, save

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
    """A broken rule is told in words at the field that an editor has to correct."""

    @pytest.mark.parametrize(("typed", "field", "words"), POST_FAULTS)
    def test_of_a_post(self, editor: Client, typed: Any, field: str, words: str) -> None:
        page = save(editor, rows.make_post(), **typed)

        assert list(errors(page)) == [field]
        assert words in errors(page)[field][0]

    @pytest.mark.parametrize(("typed", "field", "words"), APP_FAULTS)
    def test_of_an_app(self, editor: Client, typed: Any, field: str, words: str) -> None:
        page = save(editor, rows.make_app(), **typed)

        assert list(errors(page)) == [field]
        assert words in errors(page)[field][0]

    def test_an_app_without_a_platform(self, editor: Client) -> None:
        app = rows.make_app()
        typed = as_sent(editor.get(form_of(app)))
        del typed["on_ios"]

        assert "on_ios" in errors(editor.post(form_of(app), typed))

    def test_a_second_current_version(self, editor: Client) -> None:
        rows.make_version()
        typed = {"version": "v2", "api_version": "2.0.0", "status": "current"}
        page = editor.post(address(ApiVersion, "add"), typed | {"released": "2026-11-01"})

        assert errors(page) == {"status": ["Another version is current; deprecate that one first."]}

    def test_a_sunset_179_days_after_its_announcement(self, editor: Client) -> None:
        retired = {
            "status": "deprecated",
            "deprecation_0": "2026-02-01",
            "deprecation_1": "00:00",
            "sunset_0": str(timezone.localdate() + timedelta(days=179)),
            "sunset_1": "00:00",
        }
        page = save(editor, rows.make_version(), **retired)

        assert list(errors(page)) == ["sunset"]
        assert "180 days" in errors(page)["sunset"][0]

    def test_two_symbols_alike_in_a_topic(self, editor: Client) -> None:
        topic = rows.make_topic()
        admin_rows.make_symbol(topic=topic)
        admin_rows.make_symbol(topic=topic, symbol="f", position=1)
        page = save(editor, topic, **{"symbols-1-symbol": "v"})

        assert "duplicate" in str(page.context["errors"])


def test_a_published_row_without_a_moment_appears_now(editor: Client) -> None:
    post = rows.make_post(state=State.DRAFT, publish_at=None)
    before = timezone.now()
    save(editor, post, state=State.PUBLISHED)
    post.refresh_from_db()

    assert before <= post.publish_at <= timezone.now()
