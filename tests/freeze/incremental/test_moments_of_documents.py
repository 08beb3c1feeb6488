"""A document has the moment of its last change, however often the site was frozen since.

The expected documents are those of full freezes at later moments: a document has the bytes, the
compressed variants, the validators and the `generatedAt` of the full freeze in which its content
last changed, and all other headers of the last one.
"""

import re
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings

from tests.freeze.incremental import freezes
from tests.freeze.incremental.corpus import NOW
from tests.freeze.incremental.edit_strategies import Run, any_edit, runs
from tests.freeze.incremental.edits import apply_edits

pytestmark = pytest.mark.django_db

MOMENT = re.compile(rb'"generatedAt":"[^"]*"')
BODY_MEMBERS = ("headers", "size", "sha256", "generatedAt", "encodings")
"""Members of a line that depend on the bytes; of `headers` only the validators."""

Line = dict[str, Any]
Document = tuple[Line, dict[str, bytes]]
"""A line of the manifest, and the bytes of its files."""
Documents = dict[str, Document]


@pytest.mark.exhaustive("freezes twice after each of many random edits")
@settings(max_examples=3, print_blob=True)
@given(sequence=runs(any_edit()))
def test_a_document_has_the_moment_of_the_last_change_of_its_content(
    base: Path, sequence: list[Run]
) -> None:
    with TemporaryDirectory() as name, transaction.atomic():
        folder = Path(name)
        target = freezes.copy_target(base, folder / "again")
        expected = read_documents(base)
        for number, run in enumerate(sequence, start=1):
            moment, full = NOW + timedelta(days=40 * number), folder / f"full-{number}"
            if publish_run(run, moment, target, full):
                expected = expect_documents(expected, read_documents(full))
            assert read_documents(target) == expected
        transaction.set_rollback(True)


def publish_run(run: Run, moment: datetime, target: Path, empty: Path) -> bool:
    """Do the edits of a run and freeze; return whether a full freeze succeeds, or roll back."""
    with transaction.atomic():
        apply_edits(run.edits)
        refused = freezes.freeze(empty, run.at, moment=moment).is_refused
        if refused:
            transaction.set_rollback(True)
        else:
            freezes.freeze(target, run.at, moment=moment)
    return not refused


def read_documents(target: Path) -> Documents:
    public = target / "current/public"
    return {
        address: (line, {file: (public / file).read_bytes() for file in freezes.list_files(line)})
        for address, line in freezes.read_documents(target).items()
    }


def expect_documents(before: Documents, full: Documents) -> Documents:
    """Return the documents expected after a freeze: unchanged ones keep their bytes."""
    return {
        address: keep_body(before[address], now) if is_same(before.get(address), now) else now
        for address, now in full.items()
    }


def is_same(before: Document | None, now: Document) -> bool:
    """Tell whether two documents differ only in their moment."""
    return before is not None and remove_moment(before) == remove_moment(now)


def remove_moment(document: Document) -> tuple[str, bytes]:
    line, found = document
    return line["file"], MOMENT.sub(b"", found[line["file"]])


def keep_body(before: Document, now: Document) -> Document:
    (earlier, found), (line, _) = before, now
    own = {name: earlier[name] for name in BODY_MEMBERS}
    return {**line, **own}, found
