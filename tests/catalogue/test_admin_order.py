"""Addresses and order in the admin: slugs, links to pages, dragged rows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from catalogue.models import App, FormerPostSlug, Post, Principle, State, Symbol
from tests import factories
from tests.admin_pages import admin_address, form_address, save_form

pytestmark = pytest.mark.django_db


class TestAddresses:
    @pytest.mark.parametrize(
        ("make", "page"),
        [(factories.make_app, "/apps/an-app"), (factories.make_post, "/blog/a-post")],
    )
    def test_a_row_links_to_its_page_if_readers_see_it(
        self, editor: Client, make: Callable[..., Any], page: str
    ) -> None:
        row = make()
        assert editor.get(form_address(row)).context["absolute_url"] == page
        type(row).objects.update(publish_at=timezone.now() + timedelta(days=1))
        assert not editor.get(form_address(row)).context["has_absolute_url"]

    def test_the_slug_is_proposed_on_an_empty_form_only(self, editor: Client) -> None:
        empty = editor.get(admin_address(Post, "add")).context["adminform"]
        filled = editor.get(form_address(factories.make_post())).context["adminform"]

        assert [field["field"].name for field in empty.prepopulated_fields] == ["slug"]
        assert filled.prepopulated_fields == []

    def test_a_former_slug_is_listed_and_can_be_ended_but_neither_changed_nor_added(
        self, editor: Client
    ) -> None:
        post = factories.make_post()
        save_form(editor, post, slug="a-newer-post")
        page = editor.get(form_address(post))
        inline = page.context["inline_admin_formsets"][0]
        save_form(editor, post, **{"former_slugs-0-DELETE": "on"})

        assert ">a-post<" in page.content.decode()
        assert (inline.has_add_permission, inline.has_change_permission) == (False, False)
        assert not FormerPostSlug.objects.exists()


class TestOrder:
    def test_a_dragged_list_is_saved(self, editor: Client) -> None:
        first, second = factories.make_app(position=0), factories.make_app(slug="b", position=1)
        dragged = {
            "form-TOTAL_FORMS": 2,
            "form-INITIAL_FORMS": 2,
            "form-0-id": second.pk,
            "form-0-position": 0,
            "form-1-id": first.pk,
            "form-1-position": 1,
            "_save": "Save",
        }
        editor.get(admin_address(App, "changelist"))
        editor.post(admin_address(App, "changelist"), dragged)

        assert list(App.objects.in_order()) == [second, first]

    def test_a_new_row_comes_last(self, editor: Client) -> None:
        factories.make_principle(position=4)
        typed = {"slug": "a", "title_en": "A", "statement_en": "A.", "state": State.DRAFT}
        editor.post(admin_address(Principle, "add"), typed)

        assert [row.slug for row in Principle.objects.in_order()] == ["a-principle", "a"]

    def test_symbols_are_dragged_and_new_ones_come_last(self, editor: Client) -> None:
        topic = factories.make_topic()
        factories.make_symbol(topic=topic, symbol="v", position=0)
        factories.make_symbol(topic=topic, symbol="f", position=1)
        more = {
            "symbols-TOTAL_FORMS": 3,
            "symbols-0-position": 1,
            "symbols-1-position": 0,
            "symbols-2-symbol": "a",
            "symbols-2-meaning_en": "amplitude",
            "symbols-2-position": 0,
        }
        save_form(editor, topic, **more)

        assert [str(symbol) for symbol in Symbol.objects.all()] == ["f", "v", "a"]
