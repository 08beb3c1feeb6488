"""Every committed change of content moves the content revision; nothing else does."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone

from catalogue.models import Post, Revision, TeamMember
from catalogue.triggers import revision
from tests import factories
from tests.catalogue.write_operations import moves_revision
from tests.factories import CHANGES, FACTORIES, list_content_tables
from tests.revisions import read_revision_number

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.parametrize("model", list_content_tables(), ids=lambda model: model.__name__)
def test_a_statement_that_finds_no_row_does_not_move_the_revision(model: type[Model]) -> None:
    FACTORIES[model]()
    nothing = model._default_manager.filter(pk=30_000)
    field, value = CHANGES[model]
    new = value()

    assert not moves_revision(lambda: nothing.update(**{field: new}))
    assert not moves_revision(lambda: nothing._raw_delete(nothing.db))


def test_reading_and_rows_of_other_apps_do_not_move_the_revision() -> None:
    factories.make_post()

    assert not moves_revision(lambda: list(Post.objects.all()))
    assert not moves_revision(lambda: User.objects.create_user("an-editor").delete())


@pytest.mark.django_db(transaction=True)
def test_the_revision_begins_with_the_first_row_and_moves_after_everything_is_deleted() -> None:
    Revision.objects.all().delete()
    assert read_revision_number() == 0
    assert revision.last_public_change(timezone.now()) == revision.STARTED
    assert moves_revision(factories.make_post_tag)

    def empty() -> None:
        for model in list_content_tables():
            model._default_manager.all().delete()

    assert moves_revision(empty)
    assert moves_revision(factories.make_team_member)
    call_command("flush", interactive=False, verbosity=0)
    assert not TeamMember.objects.exists()
    assert moves_revision(factories.make_team_member)
