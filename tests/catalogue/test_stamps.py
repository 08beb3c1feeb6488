"""Posts with equal row versions have equal values, however they were written."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.migrations import Migration
from django.db.models import Model

from catalogue import row_versions
from catalogue.models import App, Post
from tests.catalogue import migration_runner
from tests.catalogue.write_operations import (
    Write,
    bulk_create,
    bulk_update,
    loaddata,
    queryset_update,
    raw_sql_update,
    save_changed,
    save_new,
)
from tests.factories import make_app, make_post, make_tag

pytestmark = pytest.mark.postgresql

Way = Callable[[type[Model], Path], Write]


def read_row_versions() -> dict[int, str]:
    """Return the row versions of the existing posts."""
    known = row_versions.read_row_versions()
    return {key: known[key] for key in Post.objects.values_list("pk", flat=True)}


def run_sql(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def draws_new_version(write: Callable[[], object], key: int) -> bool:
    before = row_versions.read_row_versions()
    write()
    return read_row_versions()[key] not in before.values()


@pytest.mark.parametrize("way", [save_new, bulk_create, loaddata], ids=lambda way: way.__name__)
@pytest.mark.django_db
def test_every_way_of_adding_a_post_sets_a_row_version(way: Way, tmp_path: Path) -> None:
    write = way(Post, tmp_path)
    before = row_versions.read_row_versions()
    write()

    assert set(read_row_versions().values()).isdisjoint(before.values())
    assert len(read_row_versions()) == Post.objects.count() == 1


@pytest.mark.parametrize(
    "way",
    [save_changed, queryset_update, bulk_update, raw_sql_update],
    ids=lambda way: way.__name__,
)
@pytest.mark.django_db
def test_every_way_of_changing_a_post_changes_its_row_version(way: Way, tmp_path: Path) -> None:
    write = way(Post, tmp_path)

    assert draws_new_version(write, Post.objects.get().pk)


@pytest.mark.django_db
def test_posts_written_in_one_statement_have_different_row_versions() -> None:
    for number in range(5):
        make_post(slug=f"post-{number}")
    before = read_row_versions()
    run_sql("UPDATE catalogue_post SET title_en = 'The same'")

    assert len({*before.values(), *read_row_versions().values()}) == 10


@pytest.mark.django_db
def test_writing_equal_values_changes_the_row_version() -> None:
    post = make_post()

    assert draws_new_version(post.save, post.pk)


@pytest.mark.django_db
def test_a_post_that_is_not_written_keeps_its_row_version() -> None:
    post, other = make_post(), make_post(slug="another")
    before = read_row_versions()
    other.title_en = "Another title"
    other.save()
    post.tags.add(make_tag())

    assert read_row_versions()[post.pk] == before[post.pk]


@pytest.mark.django_db
def test_a_post_with_the_key_of_a_deleted_one_has_a_new_row_version() -> None:
    key = make_post().pk
    before = row_versions.read_row_versions()
    Post.objects.all().delete()
    make_post(pk=key)

    assert read_row_versions()[key] not in before.values()


@pytest.mark.django_db
def test_a_post_that_takes_the_key_of_another_has_a_new_row_version() -> None:
    first, second = make_post(), make_post(slug="another")
    before, key = row_versions.read_row_versions(), first.pk
    first.delete()
    Post.objects.filter(pk=second.pk).update(id=key)

    assert not set(read_row_versions().values()) & set(before.values())


REPLACING = {
    "sqlite": ("REPLACE", ""),
    "postgresql": ("INSERT", "ON CONFLICT (id) DO UPDATE SET body_en = EXCLUDED.body_en"),
}


@pytest.mark.django_db
def test_a_post_that_replaces_another_by_its_slug_has_a_new_row_version() -> None:
    key, names = make_post().pk, "slug, title_en, title_vi, excerpt_en, excerpt_vi, body_en, "
    names += "body_vi, state, publish_at, app_id"
    before = row_versions.read_row_versions()
    verb, clash = REPLACING[connection.vendor]
    run_sql(
        f"{verb} INTO catalogue_post (id, {names}) "  # noqa: S608
        f"SELECT {key}, {names.replace('body_en', 'upper(body_en)')} FROM catalogue_post {clash}"
    )

    assert read_row_versions()[key] not in before.values()


@pytest.mark.django_db
def test_deleting_an_app_changes_the_row_versions_of_its_posts() -> None:
    post = make_post(app=make_app())

    assert draws_new_version(App.objects.all().delete, post.pk)


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_keeps_the_row_version() -> None:
    post = make_post()
    before = read_row_versions()
    connection.set_autocommit(False)
    Post.objects.update(title_en="Another title")
    connection.rollback()
    connection.set_autocommit(True)

    assert read_row_versions() == before != {}
    assert post.pk in before


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_rewrites_posts_changes_their_row_versions() -> None:
    post = make_post()
    before = row_versions.read_row_versions()
    migration_runner.migrate_with(lambda: Post.objects.update(title_en="Another title"))

    assert read_row_versions()[post.pk] not in before.values()


def end_migrate(*plan: object) -> None:
    emit_post_migrate_signal(0, interactive=False, db=connection.alias, plan=[*plan])


@pytest.mark.django_db
def test_an_applied_migration_changes_every_row_version() -> None:
    post = make_post()

    assert draws_new_version(
        lambda: end_migrate((Migration("another", "catalogue"), False)), post.pk
    )


@pytest.mark.django_db
def test_a_migrate_without_migrations_keeps_row_versions_and_adds_missing_ones() -> None:
    kept, missing = make_post(), make_post(slug="another")
    before = read_row_versions()
    run_sql(f"DELETE FROM {row_versions.ROW_VERSION_TABLE} WHERE post_id = {missing.pk}")  # noqa: S608

    end_migrate()

    assert read_row_versions()[kept.pk] == before[kept.pk]
    assert read_row_versions()[missing.pk] not in before.values()


@pytest.mark.django_db(transaction=True)
def test_a_migrate_that_restores_a_trigger_changes_every_row_version() -> None:
    post = make_post()
    ending = {"sqlite": "", "postgresql": " ON catalogue_post"}[connection.vendor]
    run_sql(f"DROP TRIGGER catalogue_post_update_stamps{ending}")

    assert draws_new_version(end_migrate, post.pk)


@pytest.mark.django_db(transaction=True)
def test_posts_have_row_versions_after_a_flush_of_the_database() -> None:
    make_post()
    call_command("flush", interactive=False, verbosity=0)
    post = make_post()

    assert [*read_row_versions()] == [post.pk]
