"""From draft to reader in the admin: labels and actions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import models
from django.test import Client
from django.utils import timezone

from catalogue.models import App, Post, Principle, ScienceTopic, State, TimelineEntry
from tests import factories
from tests.admin_pages import admin_address, model_label, run_action

pytestmark = pytest.mark.django_db

PUBLISHABLE = [App, Post, Principle, ScienceTopic, TimelineEntry]
LAST_YEAR = datetime(2025, 3, 1, 9, tzinfo=UTC)


class TestActions:
    @pytest.mark.parametrize("model", PUBLISHABLE, ids=model_label)
    def test_every_publishable_model_has_the_actions(
        self, editor: Client, model: type[models.Model]
    ) -> None:
        factories.make_one_of_each()
        form = editor.get(admin_address(model, "changelist")).context["action_form"]
        offered = {value for value, _ in form.fields["action"].choices}

        assert {"publish_now", "send_to_review", "withdraw_to_draft"} <= offered

    def test_publish_now_shows_a_draft_from_now_on(self, editor: Client) -> None:
        post = factories.make_post(state=State.DRAFT, publish_at=None)
        messages = run_action(editor, "publish_now", post)

        assert Post.objects.published(at=timezone.now()).get() == post
        assert messages == ["Published: 1 post."]

    def test_publish_now_shows_a_scheduled_row_today(self, editor: Client) -> None:
        post = factories.make_post(publish_at=timezone.now() + timedelta(days=3))
        run_action(editor, "publish_now", post)

        assert Post.objects.published(at=timezone.now()).get() == post

    def test_publish_now_keeps_the_date_of_a_visible_row(self, editor: Client) -> None:
        post = factories.make_post(publish_at=LAST_YEAR)
        run_action(editor, "publish_now", post)
        post.refresh_from_db()

        assert post.publish_at == LAST_YEAR

    @pytest.mark.parametrize(
        ("action", "state"),
        [("send_to_review", State.IN_REVIEW), ("withdraw_to_draft", State.DRAFT)],
    )
    def test_a_row_is_moved_and_keeps_its_moment(
        self, editor: Client, action: str, state: State
    ) -> None:
        post = factories.make_post(publish_at=LAST_YEAR)
        run_action(editor, action, post)
        post.refresh_from_db()

        assert (post.state, post.publish_at) == (state, LAST_YEAR)

    def test_a_refused_row_keeps_all_rows_as_they_were(self, editor: Client) -> None:
        fine = factories.make_post(state=State.DRAFT, publish_at=None)
        broken = factories.make_post(
            slug="b", title_en="Broken", state=State.DRAFT, body_en="[run](javascript:alert(1))"
        )
        messages = run_action(editor, "publish_now", fine, broken)

        assert set(Post.objects.values_list("state", flat=True)) == {State.DRAFT}
        assert messages[0] == "Nothing was changed: 1 of 2 cannot be saved as it is."
        assert messages[1].startswith("“Broken” is refused. Body, English: The link to")

    def test_two_refused_rows_of_one_title_are_both_reported(self, editor: Client) -> None:
        broken = {"title_en": "Twin", "body_en": "[run](javascript:alert(1))"}
        messages = run_action(
            editor, "withdraw_to_draft", *(factories.make_post(slug=s, **broken) for s in "ab")
        )

        assert messages[0] == "Nothing was changed: 2 of 2 cannot be saved as it is."
        assert messages[1:] == [messages[1]] * 2

    def test_an_action_is_in_the_history_of_its_row(self, editor: Client) -> None:
        post = factories.make_post(state=State.DRAFT)
        run_action(editor, "send_to_review", post)
        history = editor.get(admin_address(Post, "history", post.pk)).context["action_list"]

        assert [entry.get_change_message() for entry in history] == ["Sent to review."]

    def test_a_user_with_view_permissions_is_offered_no_action(self, client: Client) -> None:
        reader = User.objects.create_user("reader", is_staff=True)
        reader.user_permissions.add(Permission.objects.get(codename="view_post"))
        client.force_login(reader)
        post = factories.make_post()
        run_action(client, "withdraw_to_draft", post)
        post.refresh_from_db()

        assert post.state == State.PUBLISHED


class TestState:
    @pytest.mark.parametrize(
        ("changes", "label"),
        [
            ({"state": State.DRAFT}, "Draft"),
            ({"state": State.IN_REVIEW}, "In review"),
            ({"publish_at": LAST_YEAR}, "Published"),
            ({"publish_at": datetime(2999, 1, 1, tzinfo=UTC)}, "Scheduled"),
        ],
    )
    def test_a_list_labels_the_state_of_a_row(
        self, editor: Client, changes: dict[str, Any], label: str
    ) -> None:
        factories.make_post(**changes)
        page = editor.get(admin_address(Post, "changelist"))
        shown = page.context["cl"].result_list[0]

        assert admin.site._registry[Post].stage(shown)[1] == label
