"""Addresses and order in the admin: slugs, links to pages, dragged rows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
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
        assert FormerPostSlug.objects.get().owner is None


class TestOrder:
    @pytest.mark.parametrize(
        ("pressed", "order"),
        [
            ({"up": "b"}, "bac"),
            ({"up": "a"}, "abc"),
            ({"down": "b"}, "acb"),
            ({"down": "c"}, "abc"),
            ({"dragged": "a", "onto": "c"}, "bca"),
            ({"dragged": "c", "onto": "a"}, "cab"),
        ],
    )
    def test_rows_are_moved_by_buttons_or_dragged(
        self, editor: Client, pressed: dict[str, str], order: str
    ) -> None:
        """Rows that share a position, as rows of a file do, get places of their own."""
        apps = {slug: factories.make_app(slug=slug, name=slug) for slug in "abc"}
        data = {name: apps[slug].pk for name, slug in pressed.items()}
        answer = editor.post(admin_address(App, "move"), data)
        moved = next(iter(pressed.values()))
        page = editor.get(admin_address(App, "changelist"))
        button = next(iter(pressed)) if len(pressed) == 1 else "up"

        assert "".join(app.slug for app in App.objects.in_order()) == order
        assert answer["Location"] == f"../#{button}-{apps[moved].pk}"
        assert (
            f'id="{button}-{apps[moved].pk}" aria-describedby="messages"' in page.content.decode()
        )
        assert [str(message) for message in page.context["messages"]] == [
            f"“{moved}” is now {order.index(moved) + 1} of 3."
        ]

    def test_a_row_that_moves_to_another_page_is_shown_there(self, editor: Client) -> None:
        for number in range(51):
            last = factories.make_principle(slug=f"p-{number}", position=number)
        move = admin_address(Principle, "move")

        assert editor.post(move, {"up": last.pk})["Location"] == f"../#up-{last.pk}"
        assert editor.post(move, {"down": last.pk})["Location"] == f"../?p=2#down-{last.pk}"

    def test_only_the_whole_list_in_its_own_order_has_buttons(self, editor: Client) -> None:
        factories.make_app()
        shown = {
            query: b"formaction" in editor.get(admin_address(App, "changelist") + query).content
            for query in ("", "?p=1", "?state=published", "?o=-3")
        }

        assert shown == {"": True, "?p=1": True, "?state=published": False, "?o=-3": False}

    @pytest.mark.parametrize(
        ("rights", "method", "data", "status"),
        [
            (["view_app"], "post", {}, 403),
            (["change_app", "publish_draft"], "get", {}, 405),
            (["change_app", "publish_draft"], "post", {"up": "no number"}, 404),
            (["change_app", "publish_draft"], "post", {}, 404),
        ],
    )
    def test_a_move_that_cannot_be_made_changes_nothing(
        self, client: Client, rights: list[str], method: str, data: dict[str, str], status: int
    ) -> None:
        user = User.objects.create_user("an", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=rights))
        client.force_login(user)
        first, second = factories.make_app(), factories.make_app(slug="b")
        sent = data or {"up": second.pk} if status == 403 else data
        answer = getattr(client, method)(admin_address(App, "move"), sent)

        assert answer.status_code == status
        assert list(App.objects.in_order()) == [first, second]

    def test_the_place_of_posts_is_their_moment(self, editor: Client) -> None:
        post = factories.make_post()

        assert editor.post(admin_address(Post, "move"), {"up": post.pk}).status_code == 403

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
