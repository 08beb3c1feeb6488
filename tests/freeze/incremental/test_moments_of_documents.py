"""A document tells when its content last changed, however often the site was frozen since.

With a clock that goes on, what is right is told by full freezes alone: a document is the one of
the full freeze in which its content last became another. Its bytes, its compressed variants, its
validators and its `generatedAt` are of that freeze; all other headers are of the last one.
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
from tests.freeze.incremental.edits import do
from tests.freeze.incremental.sequences import Run, any_edit, runs

pytestmark = pytest.mark.django_db

MOMENT = re.compile(rb'"generatedAt":"[^"]*"')
OF_THE_BYTES = ("headers", "size", "sha256", "generatedAt", "encodings")
"""Members of a line that tell of the bytes; `headers` are the validators alone."""

Line = dict[str, Any]
Document = tuple[Line, dict[str, bytes]]
"""A line of the manifest, and the files that it tells of."""
Documents = dict[str, Document]


@settings(max_examples=3, deadline=None, derandomize=True, database=None, print_blob=True)
@given(sequence=runs(any_edit()))
def test_a_document_is_of_the_moment_in_which_its_content_became_another(
    base: Path, sequence: list[Run]
) -> None:
    with TemporaryDirectory() as name, transaction.atomic():
        folder = Path(name)
        target = freezes.copied(base, folder / "again")
        expected = documents(base)
        for number, run in enumerate(sequence, start=1):
            moment, full = NOW + timedelta(days=40 * number), folder / f"full-{number}"
            if taken(run, moment, target, full):
                expected = followed(expected, documents(full))
            assert documents(target) == expected
        transaction.set_rollback(True)


def taken(run: Run, moment: datetime, target: Path, empty: Path) -> bool:
    """Whether the edits of a run are published at a moment; otherwise they are undone."""
    with transaction.atomic():
        do(run.edits)
        refused = freezes.freeze(empty, run.at, moment=moment).refused
        if refused:
            transaction.set_rollback(True)
        else:
            freezes.freeze(target, run.at, moment=moment)
    return not refused


def documents(target: Path) -> Documents:
    public = target / "current/public"
    return {
        address: (line, {file: (public / file).read_bytes() for file in freezes.files(line)})
        for address, line in freezes.documents(target).items()
    }


def followed(before: Documents, full: Documents) -> Documents:
    """What follows upon some documents when a full freeze would give others."""
    return {
        address: kept(before[address], now) if is_same(before.get(address), now) else now
        for address, now in full.items()
    }


def is_same(before: Document | None, now: Document) -> bool:
    """Whether two documents differ in nothing but the moment that they tell."""
    return before is not None and timeless(before) == timeless(now)


def timeless(document: Document) -> tuple[str, bytes]:
    line, found = document
    return line["file"], MOMENT.sub(b"", found[line["file"]])


def kept(before: Document, now: Document) -> Document:
    (earlier, found), (line, _) = before, now
    own = {name: earlier[name] for name in OF_THE_BYTES}
    return {**line, **own}, found
