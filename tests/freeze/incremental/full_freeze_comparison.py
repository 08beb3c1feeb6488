"""Compares incremental freezes with full ones, after each of some runs of edits."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction

from tests.freeze.incremental import freezes
from tests.freeze.incremental.edit_strategies import Run
from tests.freeze.incremental.edits import apply_edits


def compare_with_full_freezes(base: Path, sequence: Iterable[Run]) -> None:
    """Compare both freezes after each run of edits; all edits are rolled back at the end."""
    with TemporaryDirectory() as name, transaction.atomic():
        folder = Path(name)
        target = freezes.copy_target(base, folder / "again")
        for number, run in enumerate(sequence):
            compare_run(run, target, folder / f"full-{number}")
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
