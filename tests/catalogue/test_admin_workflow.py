"""From draft to reader in the admin: labels and actions."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from catalogue.models import App, Post, Principle, ScienceTopic, State, TimelineEntry
from tests import factories
from tests.admin_pages import admin_address, run_action

pytestmark = pytest.mark.django_db

PUBLISHABLE = [App, Post, Principle, ScienceTopic, TimelineEntry]
LAST_YEAR = datetime(2025, 3, 1, 9, tzinfo=UTC)
LATER = {"publish_at": datetime(2999, 1, 1, tzinfo=UTC)}


class TestActions:
    def test_every_publishable_model_has_the_actions(self, editor: Client) -> None:
        factories.make_one_of_each()
        for model in PUBLISHABLE:
            form = editor.get(admin_address(model, "changelist")).context["action_form"]
            offered = {value for value, _ in form.fields["action"].choices}

            assert {"publish_now", "send_to_review", "withdraw_to_draft"} <= offered

    @pytest.mark.parametrize("hidden", [{"state": State.DRAFT, "publish_at": None}, LATER])
    def test_publish_now_shows_a_row_from_now_on(
        self, editor: Client, hidden: dict[str, Any]
    ) -> None:
        post = factories.make_post(**hidden)

        assert run_action(editor, "publish_now", post) == ["Published: 1 post."]
        assert Post.objects.published(at=timezone.now()).get() == post

    @pytest.mark.parametrize(
        ("action", "state"),
        [
            ("publish_now", State.PUBLISHED),
            ("send_to_review", State.IN_REVIEW),
            ("withdraw_to_draft", State.DRAFT),
        ],
    )
    def test_a_visible_row_is_moved_and_keeps_its_moment(
        self, editor: Client, action: str, state: State
    ) -> None:
        post = factories.make_post(publish_at=LAST_YEAR)
        run_action(editor, action, post)
        post.refresh_from_db()

        assert (post.state, post.publish_at) == (state, LAST_YEAR)

    def test_refused_rows_are_all_reported_and_nothing_is_changed(self, editor: Client) -> None:
        fine = factories.make_post(state=State.DRAFT, publish_at=None)
        broken = {
            "title_en": "Twin",
            "body_en": "[run](javascript:alert(1))",
            "state": State.DRAFT,
        }
        twins = [factories.make_post(slug=slug, **broken) for slug in "ab"]
        first, *others = run_action(editor, "publish_now", fine, *twins)

        assert set(Post.objects.values_list("state", flat=True)) == {State.DRAFT}
        assert first == "Nothing was changed: 2 of 3 cannot be saved as it is."
        assert others[0].startswith("“Twin” is refused. Body, English: The link to")
        assert others == [others[0]] * 2

    def test_an_action_is_in_the_history_of_its_row(self, editor: Client) -> None:
        post = factories.make_post(state=State.DRAFT)
        run_action(editor, "send_to_review", post)
        history = editor.get(admin_address(Post, "history", post.pk)).context["entries"]

        assert [(entry.act, entry.changed) for entry in history] == [
            ("changed", ["state"]),
            ("found", []),
        ]

    def test_a_user_with_view_permissions_is_offered_no_action(self, client: Client) -> None:
        reader = User.objects.create_user("reader", is_staff=True)
        reader.user_permissions.add(Permission.objects.get(codename="view_post"))
        client.force_login(reader)
        post = factories.make_post()
        run_action(client, "withdraw_to_draft", post)
        post.refresh_from_db()

        assert post.state == State.PUBLISHED
