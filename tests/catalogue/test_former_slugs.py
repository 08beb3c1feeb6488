from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from catalogue import questions
from catalogue.models import Post, State
from tests.catalogue.slug_tables import APPS, EACH_SLUG_TABLE, POSTS, SlugTable
from tests.factories import PAST, make_app, make_post

pytestmark = pytest.mark.postgresql


def by_save(kind: SlugTable, row: Any, slug: str) -> None:
    row.slug = slug
    row.save()


def by_update(kind: SlugTable, row: Any, slug: str) -> None:
    kind.rename(row, slug)


def by_bulk_update(kind: SlugTable, row: Any, slug: str) -> None:
    row.slug = slug
    kind.model._default_manager.bulk_update([row], ["slug"])


def by_raw_sql(kind: SlugTable, row: Any, slug: str) -> None:
    table = kind.model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET slug = %s WHERE id = %s", [slug, row.pk])  # noqa: S608


@EACH_SLUG_TABLE
@pytest.mark.parametrize("rename", [by_save, by_update, by_bulk_update, by_raw_sql])
@pytest.mark.django_db
def test_a_changed_slug_of_a_published_row_leaves_a_former_slug(
    kind: SlugTable, rename: Callable[[SlugTable, Any, str], None]
) -> None:
    row = kind.make(slug="before")
    rename(kind, row, "after")

    assert kind.remembered() == {"before": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_change_of_anything_else_leaves_no_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="before")
    row.save()
    kind.rename(row, "before")

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.parametrize("state", [State.DRAFT, State.IN_REVIEW])
@pytest.mark.django_db
def test_a_rename_before_publication_leaves_no_former_slug(kind: SlugTable, state: State) -> None:
    row = kind.make(slug="before", state=state)
    kind.rename(row, "after")

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_rename_before_the_moment_of_a_scheduled_row_leaves_no_former_slug(
    kind: SlugTable,
) -> None:
    row = kind.make(slug="before", publish_at=datetime(2999, 1, 1, tzinfo=UTC))
    kind.rename(row, "after")

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_rename_that_also_withdraws_the_row_leaves_a_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="before")
    kind.model._default_manager.filter(pk=row.pk).update(slug="after", state=State.DRAFT)

    assert kind.remembered() == {"before": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db(transaction=True)
def test_a_rename_that_is_rolled_back_leaves_no_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="before")
    with pytest.raises(RuntimeError), transaction.atomic():
        kind.rename(row, "after")
        found_inside = kind.remembered()
        raise RuntimeError

    assert found_inside == {"before": row.pk}
    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_every_slug_of_a_chain_leads_to_the_row_itself(kind: SlugTable) -> None:
    row = kind.make(slug="a")
    kind.rename(row, "b")
    kind.rename(row, "c")

    assert kind.remembered() == {"a": row.pk, "b": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_row_that_returns_to_its_first_slug_has_one_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="a")
    kind.rename(row, "b")
    kind.rename(row, "a")

    assert kind.remembered() == {"b": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_new_row_takes_a_former_slug_over(kind: SlugTable) -> None:
    row = kind.make(slug="a")
    kind.rename(row, "b")
    kind.make(slug="a")

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_rows_made_in_bulk_take_former_slugs_over(kind: SlugTable) -> None:
    row = kind.make(slug="a")
    kind.rename(row, "b")
    row.pk, row.slug = None, "a"
    kind.model._default_manager.bulk_create([row])

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_renamed_row_takes_the_former_slug_of_another_over(kind: SlugTable) -> None:
    first, second = kind.make(slug="a"), kind.make(slug="x")
    kind.rename(first, "b")
    kind.rename(second, "a")

    assert kind.remembered() == {"x": second.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_slug_that_two_rows_had_leads_to_the_later_one(kind: SlugTable) -> None:
    first, second = kind.make(slug="a"), kind.make(slug="x")
    kind.rename(first, "b")
    kind.rename(second, "a")
    kind.rename(second, "c")

    assert kind.remembered() == {"x": second.pk, "a": second.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_two_rows_swap_their_slugs_through_a_third_name(kind: SlugTable) -> None:
    first, second = kind.make(slug="a"), kind.make(slug="b")
    kind.rename(first, "meanwhile")
    kind.rename(second, "a")
    kind.rename(first, "b")

    assert kind.remembered() == {"meanwhile": first.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_rows_renamed_in_one_statement_each_leave_their_former_slug(kind: SlugTable) -> None:
    first, second = kind.make(slug="a"), kind.make(slug="b")
    first.slug, second.slug = "c", "d"
    kind.model._default_manager.bulk_update([first, second], ["slug"])

    assert kind.remembered() == {"a": first.pk, "b": second.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_deleted_row_takes_its_former_slugs_with_it(kind: SlugTable) -> None:
    row, other = kind.make(slug="a"), kind.make(slug="x")
    kind.rename(row, "b")
    kind.rename(other, "y")
    kind.model._default_manager.filter(pk=row.pk).delete()

    assert kind.remembered() == {"x": other.pk}


@pytest.mark.django_db
def test_former_slugs_of_apps_and_posts_are_separate() -> None:
    app, post = make_app(slug="same"), make_post(slug="same")
    APPS.rename(app, "other")

    assert APPS.remembered() == {"same": app.pk}
    assert POSTS.remembered() == {}
    assert Post.objects.get().slug == post.slug


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_row_renamed_while_it_is_withdrawn_is_found_by_the_slug_that_readers_knew(
    kind: SlugTable,
) -> None:
    row = kind.make(slug="known")
    mine = kind.model._default_manager.filter(pk=row.pk)
    mine.update(state=State.DRAFT)
    mine.update(slug="corrected")
    mine.update(state=State.PUBLISHED)

    assert kind.remembered() == {"known": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_row_withdrawn_and_published_again_leaves_no_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="known")
    mine = kind.model._default_manager.filter(pk=row.pk)
    mine.update(state=State.DRAFT)
    mine.update(state=State.PUBLISHED)

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_draft_does_not_take_over_a_former_slug(kind: SlugTable) -> None:
    row = kind.make(slug="known")
    kind.rename(row, "new")
    kind.make(slug="known", state=State.DRAFT)

    assert kind.remembered() == {"known": row.pk}


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_former_slug_under_which_readers_see_a_row_leads_nowhere(kind: SlugTable) -> None:
    row = kind.make(slug="known")
    kind.memory._default_manager.create(slug="known", **{kind.owner: row})
    question = {"app": questions.former_app_slugs, "post": questions.former_post_slugs}

    assert list(question[kind.owner](timezone.now())) == []


@EACH_SLUG_TABLE
@pytest.mark.django_db
def test_a_row_that_is_rescheduled_and_then_renamed_keeps_the_slug_that_readers_knew(
    kind: SlugTable,
) -> None:
    row = kind.make(slug="before")
    kind.model._default_manager.update(publish_at=timezone.now() + timedelta(days=30))
    kind.rename(row, "after")
    kind.model._default_manager.update(publish_at=PAST)

    assert kind.remembered() == {"before": row.pk}
