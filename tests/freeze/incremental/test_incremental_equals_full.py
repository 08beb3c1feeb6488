"""Whatever is edited, a freeze beside a release gives the bytes of a freeze into an empty folder.

All freezes here are said to be of one moment (SOURCE_DATE_EPOCH), so the two are compared as they
are: every public file with its compressed variants, the bodies of errors, `manifest.jsonl` and
`SHA256SUMS`. What becomes of the moments is told in `test_moments_of_documents`.
"""

from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import given, settings

from catalogue.models import ApiVersion, Page, Studio
from tests.freeze.incremental import freezes
from tests.freeze.incremental.corpus import DUE, LATE, NOW
from tests.freeze.incremental.edits import Change, DeleteAll, Edit
from tests.freeze.incremental.holding import hold_to_full_freezes
from tests.freeze.incremental.sequences import Run, any_edit, runs

pytestmark = pytest.mark.django_db


@settings(max_examples=12, deadline=None, derandomize=True, database=None, print_blob=True)
@given(sequence=runs(any_edit()))
def test_any_sequence_of_edits_gives_what_full_freezes_give(
    base: Path, sequence: list[Run]
) -> None:
    hold_to_full_freezes(base, sequence)


def test_what_falls_due_is_published_and_an_earlier_moment_gives_what_was(
    base: Path, target: Path, tmp_path: Path
) -> None:
    due = freezes.freeze(target, DUE)

    assert (due.outcome, due.told["removed"]) == ("published", 0)
    freezes.freeze(tmp_path / "full", DUE)
    assert freezes.differences(target, tmp_path / "full") == set()
    assert freezes.freeze(target, LATE).outcome == "unchanged"
    freezes.freeze(target, NOW)
    assert freezes.differences(target, base) == set()


REFUSED = [
    DeleteAll(Studio),
    DeleteAll(ApiVersion),
    DeleteAll(Page),
    Change(Page, 0, {"body_en": "See [nothing](/apps/nothing)."}),
]
"""Edits after which nothing is published: no studio, no version, or links that lead nowhere."""


@pytest.mark.parametrize("edit", REFUSED, ids=["studio", "version", "page", "dead link"])
def test_what_no_full_freeze_publishes_no_other_publishes_and_undone_it_is_as_it_was(
    edit: Edit, base: Path, target: Path, tmp_path: Path
) -> None:
    with transaction.atomic():
        edit.apply()
        assert freezes.freeze(tmp_path / "full").refused
        assert freezes.freeze(target).refused
        transaction.set_rollback(True)

    assert freezes.differences(target, base) == set()
    assert freezes.freeze(target).outcome == "unchanged"
