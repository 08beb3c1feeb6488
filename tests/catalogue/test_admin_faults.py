"""A broken rule is reported in words at its field."""

from collections.abc import Callable

import pytest
from django.db.models import Model
from django.test import Client

from tests import factories
from tests.admin_pages import form_address, form_data, form_errors, save_form
from tests.catalogue.constraints import make_second_version

pytestmark = pytest.mark.django_db

RUNS_A_SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
NO_MOMENTS = ("deprecation_0", "deprecation_1", "sunset_0", "sunset_1")

FAULTS = [
    (factories.make_post, {"slug": "Tilt & gravity"}, "slug", "lower-case letters"),
    (factories.make_post, {"body_en": "[run](javascript:alert(1))"}, "body_en", "“javascript:”"),
    (factories.make_post, {"title_vi": "Bài"}, "body_vi", "Translate all of these or none"),
    (factories.make_app, {"updated": "09/2026"}, "updated", "YYYY-MM"),
    (factories.make_app, {"icon_svg": RUNS_A_SCRIPT}, "icon_svg", "script"),
    (factories.make_app, {"google_play": "play.google.com"}, "google_play", "https://"),
    (
        make_second_version,
        {"status": "current"} | dict.fromkeys(NO_MOMENTS, ""),
        "status",
        "Another version is current; deprecate that one first.",
    ),
]


@pytest.mark.parametrize(("make", "typed", "field", "words"), FAULTS)
def test_a_broken_rule_is_reported_at_its_field(
    editor: Client, make: Callable[[], Model], typed: dict[str, str], field: str, words: str
) -> None:
    page = save_form(editor, make(), **typed)

    assert list(form_errors(page)) == [field]
    assert words in form_errors(page)[field][0]


def test_a_year_that_is_mistyped_is_refused(editor: Client) -> None:
    for year in ("0026", "9999"):
        page = save_form(editor, factories.make_post(slug=year), publish_at_0=f"{year}-01-01")

        assert form_errors(page)["publish_at"] == [
            f"The year is {int(year)}; years from 1900 to 9998 are allowed."
        ]
        assert f'value="{year}-01-01"' in page.content.decode()


def test_a_symbol_that_another_editor_has_added_meanwhile_is_refused(
    editor: Client,
) -> None:
    topic = factories.make_topic()
    symbol = {"symbols-0-symbol": "v", "symbols-0-meaning_en": "speed", "symbols-0-position": 0}
    typed = form_data(editor.get(form_address(topic))) | {"symbols-TOTAL_FORMS": "1"} | symbol
    factories.make_symbol(topic=topic, symbol="v")

    page = editor.post(form_address(topic), typed)

    assert "explains the symbol already" in str(page.context["errors"])
    assert topic.symbols.count() == 1


def test_a_symbol_takes_the_name_of_one_that_is_deleted_in_the_same_save(editor: Client) -> None:
    topic = factories.make_topic()
    deleted = factories.make_symbol(topic=topic, symbol="v")
    symbol = {"symbols-1-symbol": "v", "symbols-1-meaning_en": "speed", "symbols-1-position": 1}
    save_form(editor, topic, **symbol, **{"symbols-TOTAL_FORMS": "2", "symbols-0-DELETE": "on"})

    assert topic.symbols.get().pk != deleted.pk
