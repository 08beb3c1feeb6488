"""After any edits, a freeze into a release gives the bytes of a freeze into an empty folder.

All freezes here have the same moment (SOURCE_DATE_EPOCH), so all bytes are compared: public files
with their compressed variants, error bodies, `manifest.jsonl` and `SHA256SUMS`. The tests of
`test_moments_of_documents` freeze at different moments.
"""

from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import given, settings

from catalogue.models import ApiVersion, Page, Studio
from tests.freeze.incremental import freezes
from tests.freeze.incremental.corpus import DUE, LATE, NOW
from tests.freeze.incremental.edit_strategies import Run, any_edit, runs
from tests.freeze.incremental.edits import Change, DeleteAll, Edit
from tests.freeze.incremental.full_freeze_comparison import compare_with_full_freezes

pytestmark = pytest.mark.django_db


@pytest.mark.exhaustive("freezes twice after each of many random edits")
@settings(max_examples=12, print_blob=True)
@given(sequence=runs(any_edit()))
def test_any_sequence_of_edits_gives_what_full_freezes_give(
    base: Path, sequence: list[Run]
) -> None:
    compare_with_full_freezes(base, sequence)


def test_due_content_is_published_and_an_earlier_moment_gives_the_earlier_bytes(
    base: Path, target: Path, tmp_path: Path
) -> None:
    due = freezes.freeze(target, DUE)

    assert (due.outcome, due.report["removed"]) == ("published", 0)
    freezes.freeze(tmp_path / "full", DUE)
    assert freezes.find_differences(target, tmp_path / "full") == set()
    assert freezes.freeze(target, LATE).outcome == "unchanged"
    freezes.freeze(target, NOW)
    assert freezes.find_differences(target, base) == set()


TWO_FREEZES = pytest.mark.exhaustive("freezes twice to find links that lead nowhere")


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(DeleteAll(Studio), id="studio"),
        pytest.param(DeleteAll(ApiVersion), id="version"),
        pytest.param(DeleteAll(Page), id="page", marks=TWO_FREEZES),
        pytest.param(Change(Page, 0, {"body_en": "See [nothing](/apps/nothing)."}), id="dead link"),
    ],
)
def test_an_edit_refused_by_a_full_freeze_is_refused_by_any_and_leaves_no_trace(
    edit: Edit, base: Path, target: Path, tmp_path: Path
) -> None:
    with transaction.atomic():
        edit.apply()
        assert freezes.freeze(tmp_path / "full").is_refused
        assert freezes.freeze(target).is_refused
        transaction.set_rollback(True)

    assert freezes.find_differences(target, base) == set()
    assert freezes.freeze(target).outcome == "unchanged"
