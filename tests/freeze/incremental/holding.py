"""Hold a target to what full freezes give, after each of some runs of edits."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction

from tests.freeze.incremental import freezes
from tests.freeze.incremental.edits import do
from tests.freeze.incremental.sequences import Run


def hold_to_full_freezes(base: Path, sequence: Iterable[Run]) -> None:
    """In the end the database is as it was."""
    with TemporaryDirectory() as name, transaction.atomic():
        folder = Path(name)
        target = freezes.copied(base, folder / "again")
        for number, run in enumerate(sequence):
            hold(run, target, folder / f"full-{number}")
        transaction.set_rollback(True)


def hold(run: Run, target: Path, empty: Path) -> None:
    """Do the edits of a run and freeze; where no freeze would publish them, they are undone."""
    with transaction.atomic():
        do(run.edits)
        full, again = freezes.freeze(empty, run.at), freezes.freeze(target, run.at)
        if full.refused:
            transaction.set_rollback(True)

    assert again.refused == full.refused, (full.told, again.told)
    assert full.refused or freezes.differences(target, empty) == set()
