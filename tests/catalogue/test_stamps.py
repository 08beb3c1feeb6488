"""Posts of the same stamp have the same values, whoever wrote them and by whatever way."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.migrations import Migration
from django.db.models import Model

from catalogue import stamps
from catalogue.models import App, Post
from tests.catalogue import migrating
from tests.catalogue.makers import make_tag
from tests.catalogue.ways import (
    Write,
    bulk_create,
    bulk_update,
    loaddata,
    queryset_update,
    raw_sql_update,
    save_of_changed,
    save_of_new,
)
from tests.rows import make_app, make_post

Way = Callable[[type[Model], Path], Write]


def drawn() -> dict[int, str]:
    """The stamps of the posts that there are."""
    known = stamps.stamps()
    return {key: known[key] for key in Post.objects.values_list("pk", flat=True)}


def sql(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def redrawn(write: Callable[[], object], key: int) -> bool:
    before = stamps.stamps()
    write()
    return drawn()[key] not in before.values()


@pytest.mark.parametrize("way", [save_of_new, bulk_create, loaddata], ids=lambda way: way.__name__)
@pytest.mark.django_db
def test_every_way_of_adding_a_post_draws_a_stamp(way: Way, tmp_path: Path) -> None:
    write = way(Post, tmp_path)
    before = stamps.stamps()
    write()

    assert set(drawn().values()).isdisjoint(before.values())
    assert len(drawn()) == Post.objects.count() == 1


@pytest.mark.parametrize(
    "way",
    [save_of_changed, queryset_update, bulk_update, raw_sql_update],
    ids=lambda way: way.__name__,
)
@pytest.mark.django_db
def test_every_way_of_changing_a_post_draws_another_stamp(way: Way, tmp_path: Path) -> None:
    write = way(Post, tmp_path)

    assert redrawn(write, Post.objects.get().pk)


@pytest.mark.django_db
def test_many_posts_at_once_draw_a_stamp_each() -> None:
    for number in range(5):
        make_post(slug=f"post-{number}")
    before = drawn()
    sql("UPDATE catalogue_post SET title_en = 'The same'")

    assert len({*before.values(), *drawn().values()}) == 10


@pytest.mark.django_db
def test_a_post_that_is_written_as_it_was_draws_another_stamp() -> None:
    post = make_post()

    assert redrawn(post.save, post.pk)


@pytest.mark.django_db
def test_a_post_that_is_not_written_keeps_its_stamp() -> None:
    post, other = make_post(), make_post(slug="another")
    before = drawn()
    other.title_en = "Another title"
    other.save()
    post.tags.add(make_tag())

    assert drawn()[post.pk] == before[post.pk]


@pytest.mark.django_db
def test_a_post_under_the_key_of_one_that_is_gone_draws_its_own_stamp() -> None:
    key = make_post().pk
    before = stamps.stamps()
    Post.objects.all().delete()
    make_post(pk=key)

    assert drawn()[key] not in before.values()


@pytest.mark.django_db
def test_a_post_that_takes_the_key_of_another_draws_its_own_stamp() -> None:
    first, second = make_post(), make_post(slug="another")
    before, key = stamps.stamps(), first.pk
    first.delete()
    Post.objects.filter(pk=second.pk).update(id=key)

    assert not set(drawn().values()) & set(before.values())


REPLACING = {
    "sqlite": ("REPLACE", ""),
    "postgresql": ("INSERT", "ON CONFLICT (id) DO UPDATE SET body_en = EXCLUDED.body_en"),
}


@pytest.mark.django_db
def test_a_post_that_takes_the_place_of_another_by_its_slug_draws_its_own_stamp() -> None:
    key, names = make_post().pk, "slug, title_en, title_vi, excerpt_en, excerpt_vi, body_en, "
    names += "body_vi, state, publish_at, app_id"
    before = stamps.stamps()
    verb, clash = REPLACING[connection.vendor]
    sql(
        f"{verb} INTO catalogue_post (id, {names}) "  # noqa: S608
        f"SELECT {key}, {names.replace('body_en', 'upper(body_en)')} FROM catalogue_post {clash}"
    )

    assert drawn()[key] not in before.values()


@pytest.mark.django_db
def test_an_app_that_goes_draws_another_stamp_for_its_posts() -> None:
    post = make_post(app=make_app())

    assert redrawn(App.objects.all().delete, post.pk)


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_keeps_the_stamp() -> None:
    post = make_post()
    before = drawn()
    connection.set_autocommit(False)
    Post.objects.update(title_en="Another title")
    connection.rollback()
    connection.set_autocommit(True)

    assert drawn() == before != {}
    assert post.pk in before


@pytest.mark.django_db(transaction=True)
def test_a_migration_may_rewrite_posts_while_no_trigger_looks() -> None:
    post = make_post()
    before = stamps.stamps()
    migrating.migrated(lambda: Post.objects.update(title_en="Another title"))

    assert drawn()[post.pk] not in before.values()


def migrated(*plan: object) -> None:
    emit_post_migrate_signal(0, interactive=False, db=connection.alias, plan=[*plan])


@pytest.mark.django_db
def test_a_migration_that_was_applied_draws_every_stamp_anew() -> None:
    post = make_post()

    assert redrawn(lambda: migrated((Migration("another", "catalogue"), False)), post.pk)


@pytest.mark.django_db
def test_a_migrate_with_nothing_to_do_keeps_the_stamps_and_draws_those_that_are_missing() -> None:
    kept, missing = make_post(), make_post(slug="another")
    before = drawn()
    sql(f"DELETE FROM {stamps.TABLE} WHERE post_id = {missing.pk}")  # noqa: S608

    migrated()

    assert drawn()[kept.pk] == before[kept.pk]
    assert drawn()[missing.pk] not in before.values()


@pytest.mark.django_db(transaction=True)
def test_a_migrate_with_nothing_to_do_trusts_no_stamp_where_a_trigger_was_missing() -> None:
    post = make_post()
    ending = {"sqlite": "", "postgresql": " ON catalogue_post"}[connection.vendor]
    sql(f"DROP TRIGGER catalogue_post_update_stamps{ending}")

    assert redrawn(migrated, post.pk)


@pytest.mark.django_db(transaction=True)
def test_posts_draw_stamps_after_a_flush_of_the_database() -> None:
    make_post()
    call_command("flush", interactive=False, verbosity=0)
    post = make_post()

    assert [*drawn()] == [post.pk]
