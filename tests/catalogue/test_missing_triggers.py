"""A missing trigger is noticed, and writes while it was missing are not lost."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from catalogue import installing, questions, revision
from catalogue.checks import check_triggers
from catalogue.models import Post, Revision, State
from tests import factories
from tests.catalogue import migration_runner, missing_triggers
from tests.catalogue.slug_tables import EACH_SLUG_TABLE, SlugTable
from tests.catalogue.write_operations import moves_revision

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

FAULT = pytest.mark.parametrize(
    "fault", missing_triggers.FAULTS.values(), ids=missing_triggers.FAULTS
)
LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def restored_triggers() -> Iterator[None]:
    """Restore the triggers for the next test."""
    yield
    missing_triggers.run_empty_migrate()


def list_check_ids() -> list[str | None]:
    return [message.id for message in check_triggers(None, databases=["default"])]


def test_a_database_with_all_triggers_passes_the_check() -> None:
    assert installing.find_trigger_faults(connection) == []
    assert list_check_ids() == []
    assert check_triggers(None) == []


@FAULT
def test_a_check_names_what_is_wrong_and_what_to_run(fault: Callable[[], None]) -> None:
    fault()
    (found,) = check_triggers(None, databases=["default"])

    assert (found.id, found.hint) == ("catalogue.W001", "Run “manage.py migrate”.")
    assert not installing.are_triggers_intact(connection)


@FAULT
def test_a_migrate_restores_missing_triggers(fault: Callable[[], None]) -> None:
    fault()
    call_command("migrate", verbosity=0)

    assert installing.find_trigger_faults(connection) == []
    assert list_check_ids() == []


@FAULT
def test_restoring_triggers_counts_as_a_change_of_all_content(fault: Callable[[], None]) -> None:
    factories.make_post()
    fault()
    Revision.objects.update(public_changed_at=LONG_AGO)

    assert moves_revision(missing_triggers.run_empty_migrate)
    assert revision.last_public_change(timezone.now()) > timezone.now() - timedelta(hours=1)


def test_a_migrate_with_all_triggers_keeps_the_revision() -> None:
    factories.make_post()

    assert not moves_revision(missing_triggers.run_empty_migrate)


@pytest.mark.parametrize(
    "fault",
    [missing_triggers.drop_all, missing_triggers.drop_one, missing_triggers.disable_one],
)
def test_content_counts_as_changed_at_each_request_while_a_trigger_is_missing(
    fault: Callable[[], None],
) -> None:
    factories.make_post()
    Revision.objects.update(public_changed_at=LONG_AGO)
    fault()
    asked = timezone.now()

    assert revision.last_public_change(asked) == asked


@EACH_SLUG_TABLE
def test_a_rename_while_a_trigger_is_missing_leaves_a_former_slug(kind: SlugTable) -> None:
    row, draft = kind.make(slug="before"), kind.make(slug="unseen", state=State.DRAFT)
    missing_triggers.drop_all()
    kind.rename(row, "after")
    kind.rename(draft, "seen-by-no-reader")
    missing_triggers.run_empty_migrate()

    assert kind.remembered() == {"before": row.pk}


@EACH_SLUG_TABLE
def test_a_withdrawal_and_rename_while_a_trigger_is_missing_leave_a_former_slug(
    kind: SlugTable,
) -> None:
    row = kind.make(slug="before")
    missing_triggers.drop_all()
    kind.model._default_manager.update(state=State.DRAFT)
    kind.rename(row, "after")
    missing_triggers.run_empty_migrate()
    kind.model._default_manager.update(state=State.PUBLISHED)

    assert kind.remembered() == {"before": row.pk}


@EACH_SLUG_TABLE
def test_rows_that_exchange_slugs_while_a_trigger_is_missing_leave_no_former_slugs(
    kind: SlugTable,
) -> None:
    one, other = kind.make(slug="one"), kind.make(slug="other")
    missing_triggers.drop_all()
    for row, slug in ((one, "aside"), (other, "one"), (one, "other")):
        kind.rename(row, slug)
    missing_triggers.run_empty_migrate()

    assert kind.remembered() == {}


@EACH_SLUG_TABLE
def test_rows_added_and_deleted_while_a_trigger_is_missing_leave_no_former_slug(
    kind: SlugTable,
) -> None:
    gone = kind.make(slug="gone")
    missing_triggers.drop_all()
    kind.model._default_manager.filter(pk=gone.pk).delete()
    kind.make(slug="new")
    missing_triggers.run_empty_migrate()

    assert kind.remembered() == {}


def test_a_migration_that_fails_leaves_the_triggers_as_they_were() -> None:
    before = installing.read_triggers(connection)

    def fail() -> None:
        Post.objects.update(title_en="Another title")
        raise DatabaseError("as when a table exists")

    with pytest.raises(DatabaseError, match="as when"):
        migration_runner.migrate_with(fail)

    assert installing.read_triggers(connection) == before != []


def test_a_migration_of_another_app_does_not_touch_the_triggers() -> None:
    before = installing.read_triggers(connection)
    call_command("migrate", "sessions", "zero", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE django_session (id integer)")
    try:
        with pytest.raises(DatabaseError):
            call_command("migrate", "sessions", verbosity=0)
        assert installing.read_triggers(connection) == before != []
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE django_session")
        call_command("migrate", verbosity=0)


def test_a_migrate_after_a_killed_migration_counts_its_changes() -> None:
    factories.make_post()

    assert moves_revision(
        lambda: migration_runner.apply_migration(
            lambda: Post.objects.update(title_en="Another title")
        )
    )
    assert installing.are_triggers_intact(connection)


def test_a_migration_that_renames_a_row_leaves_a_former_slug() -> None:
    factories.make_post(slug="before")
    migration_runner.migrate_with(lambda: Post.objects.update(slug="after"))

    assert [row.slug for row in questions.former_post_slugs(timezone.now())] == ["before"]
