"""After any edits, a freeze into a release gives the bytes of a freeze into an empty folder.

All freezes here have the same moment (SOURCE_DATE_EPOCH), so all bytes are compared: public files
with their compressed variants, error bodies, `manifest.jsonl` and `SHA256SUMS`. The tests of
`test_moments_of_documents` freeze at different moments.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from catalogue.models import ApiVersion, Page, Studio
from tests.freeze.incremental import corpus, freezes
from tests.freeze.incremental.corpus import DUE, LATE, NOW
from tests.freeze.incremental.edit_strategies import Run, any_edit, edits_of_the_blog, runs
from tests.freeze.incremental.edits import Change, DeleteAll, Edit, apply_edits

pytestmark = pytest.mark.django_db


@pytest.mark.exhaustive("freezes twice after each of many random edits")
@settings(max_examples=12, print_blob=True)
@given(sequence=runs(any_edit()))
def test_any_sequence_of_edits_gives_what_full_freezes_give(
    base: Path, sequence: list[Run]
) -> None:
    compare_with_full_freezes(base, sequence)


@pytest.fixture
def blog(base: Path, tmp_path: Path) -> Iterator[Path]:
    """A target with a release of the small site and 130 more posts, in several batches."""
    with transaction.atomic():
        corpus.make_blog(130)
        freezes.freeze(tmp_path / "site")
        yield tmp_path / "site"
        transaction.set_rollback(True)


@pytest.mark.exhaustive("freezes a long blog after each of many random edits")
@settings(
    max_examples=4,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(sequence=runs(edits_of_the_blog()))
def test_any_sequence_of_edits_to_a_blog_gives_what_full_freezes_give(
    blog: Path, sequence: list[Run]
) -> None:
    compare_with_full_freezes(blog, sequence)


def compare_with_full_freezes(base: Path, sequence: Iterable[Run]) -> None:
    """Compare both freezes after each run of edits; all edits are rolled back at the end."""
    with TemporaryDirectory() as name, transaction.atomic():
        target = freezes.copy_target(base, Path(name) / "again")
        for number, run in enumerate(sequence):
            compare_run(run, target, Path(name) / f"full-{number}")
        transaction.set_rollback(True)


def compare_run(run: Run, target: Path, empty: Path) -> None:
    """Compare both freezes after a run of edits; refused edits are rolled back."""
    with transaction.atomic():
        apply_edits(run.edits)
        full, again = freezes.freeze(empty, run.at), freezes.freeze(target, run.at)
        if full.is_refused:
            transaction.set_rollback(True)

    assert again.is_refused == full.is_refused, (full.report, again.report)
    assert full.is_refused or freezes.find_differences(target, empty) == set()


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
