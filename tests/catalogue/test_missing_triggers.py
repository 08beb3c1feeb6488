"""A missing trigger is noticed, and what was written meanwhile is not lost."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from catalogue import installing, questions, revision, stamps
from catalogue.checks import the_triggers_are_in_place
from catalogue.models import Post, Revision, State
from tests import rows
from tests.catalogue import migrating, missing
from tests.catalogue.kinds import KINDS, Kind
from tests.catalogue.ways import moves

pytestmark = pytest.mark.django_db(transaction=True)

FAULT = pytest.mark.parametrize("fault", missing.FAULTS.values(), ids=missing.FAULTS)
LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def whole_again() -> Iterator[None]:
    """The database is that of the next test."""
    yield
    missing.migrated()


def complaints() -> list[str | None]:
    return [message.id for message in the_triggers_are_in_place(None, databases=["default"])]


def test_a_database_with_its_triggers_is_intact() -> None:
    assert installing.faults(connection) == []
    assert complaints() == []
    assert the_triggers_are_in_place(None) == []


@FAULT
def test_a_check_names_what_is_wrong_and_what_to_run(fault: Callable[[], None]) -> None:
    fault()
    (found,) = the_triggers_are_in_place(None, databases=["default"])

    assert (found.id, found.hint) == ("catalogue.W001", "Run “manage.py migrate”.")
    assert not installing.intact(connection)


@FAULT
def test_a_migrate_puts_all_of_them_back(fault: Callable[[], None]) -> None:
    fault()
    call_command("migrate", verbosity=0)

    assert installing.faults(connection) == []
    assert complaints() == []


@FAULT
def test_putting_them_back_takes_all_content_for_changed(fault: Callable[[], None]) -> None:
    post = rows.make_post()
    fault()
    drawn = stamps.stamps()[post.pk]
    Revision.objects.update(public_changed_at=LONG_AGO)

    assert moves(missing.migrated)
    assert revision.last_change(timezone.now()) > timezone.now() - timedelta(minutes=1)
    assert stamps.stamps()[post.pk] != drawn


def test_a_migrate_that_finds_them_all_changes_nothing() -> None:
    rows.make_post()

    assert not moves(missing.migrated)


@pytest.mark.parametrize("fault", [missing.all_dropped, missing.one_dropped, missing.one_disabled])
def test_while_one_is_missing_content_counts_as_changed_at_each_request(
    fault: Callable[[], None],
) -> None:
    rows.make_post()
    Revision.objects.update(public_changed_at=LONG_AGO)
    fault()
    asked = timezone.now()

    assert revision.last_change(asked) == asked


@KINDS
def test_the_slug_of_a_row_that_is_renamed_meanwhile_is_remembered(kind: Kind) -> None:
    row, draft = kind.make(slug="before"), kind.make(slug="unseen", state=State.DRAFT)
    missing.all_dropped()
    kind.rename(row, "after")
    kind.rename(draft, "seen-by-no-reader")
    missing.migrated()

    assert kind.remembered() == {"before": row.pk}


@KINDS
def test_the_slug_of_a_row_that_is_withdrawn_and_renamed_meanwhile_is_remembered(
    kind: Kind,
) -> None:
    row = kind.make(slug="before")
    missing.all_dropped()
    kind.model._default_manager.update(state=State.DRAFT)
    kind.rename(row, "after")
    missing.migrated()
    kind.model._default_manager.update(state=State.PUBLISHED)

    assert kind.remembered() == {"before": row.pk}


@KINDS
def test_rows_that_change_slugs_with_each_other_meanwhile_have_no_former_ones(kind: Kind) -> None:
    one, other = kind.make(slug="one"), kind.make(slug="other")
    missing.all_dropped()
    for row, slug in ((one, "aside"), (other, "one"), (one, "other")):
        kind.rename(row, slug)
    missing.migrated()

    assert kind.remembered() == {}


@KINDS
def test_rows_that_come_and_go_meanwhile_leave_no_former_slug(kind: Kind) -> None:
    gone = kind.make(slug="gone")
    missing.all_dropped()
    kind.model._default_manager.filter(pk=gone.pk).delete()
    kind.make(slug="new")
    missing.migrated()

    assert kind.remembered() == {}


def test_a_migration_that_fails_leaves_the_triggers_as_they_were() -> None:
    before = installing.found(connection)

    def fail() -> None:
        Post.objects.update(title_en="Another title")
        raise DatabaseError("as when a table exists")

    with pytest.raises(DatabaseError, match="as when"):
        migrating.migrated(fail)

    assert installing.found(connection) == before != []


def test_a_migration_of_another_app_does_without_touching_them() -> None:
    before = installing.found(connection)
    call_command("migrate", "sessions", "zero", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE django_session (id integer)")
    try:
        with pytest.raises(DatabaseError):
            call_command("migrate", "sessions", verbosity=0)
        assert installing.found(connection) == before != []
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE django_session")
        call_command("migrate", verbosity=0)


def test_a_migrate_that_ends_after_a_migration_has_told_of_its_changes() -> None:
    rows.make_post()

    assert moves(lambda: migrating.applied(lambda: Post.objects.update(title_en="Another title")))
    assert installing.intact(connection)


def test_a_migration_that_renames_a_row_leaves_a_former_slug() -> None:
    rows.make_post(slug="before")
    migrating.migrated(lambda: Post.objects.update(slug="after"))

    assert [row.slug for row in questions.former_post_slugs(timezone.now())] == ["before"]
