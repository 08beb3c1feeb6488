"""After any edits, a freeze into a release gives the bytes of a freeze into an empty folder.

Bytes are those of public files with their compressed variants, of error bodies, of the manifest and
the checksums. A document that an edit does not change also keeps its moment and its files.
"""

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from catalogue.models import (
    ApiVersion,
    App,
    Page,
    Post,
    PostPicture,
    Revision,
    State,
    Statistic,
    Studio,
    Tag,
    TimelineEntry,
    TimelineLink,
)
from tests.freeze import commands, processes, target_files
from tests.freeze.incremental import corpus, edits
from tests.freeze.incremental.corpus import DUE, NOW
from tests.freeze.incremental.edits import Edit, Field, Model

pytestmark = pytest.mark.django_db

PUBLISHED, UNCHANGED = processes.PUBLISHED, processes.UNCHANGED
A_DAY = timedelta(days=1)
MOMENT = re.compile(rb'"generatedAt":"[^"]*"')
BODY_MEMBERS = ("headers", "size", "sha256", "generatedAt", "encodings")
"""Members of a line that depend on the bytes; of `headers` only the validators."""
Line = dict[str, Any]
Run = tuple[list[Edit], datetime]
MODELS = edits.list_models()


def freeze(target: Path, at: datetime = NOW, moment: datetime = NOW) -> int:
    """Freeze the content of the moment `at`, and return the exit code. Anything may disappear."""
    words = ["--jobs=1", f"--as-of={at.isoformat()}", "--allow-deletions"]
    words += [f"--retire={address}" for address in read_lines(target)]
    with time_machine.travel(moment, tick=False), pytest.MonkeyPatch.context() as patch:
        # Without it, only the first release of a moment has `Last-Modified`.
        patch.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))
        return commands.freeze(str(target), *words).returncode


def read_lines(target: Path) -> dict[str, Line]:
    """Return the lines of documents and redirects in the manifest, by address."""
    file = target / "current/manifest.jsonl"
    lines = [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []
    found = {line.get("document") or line.get("redirect"): line for line in lines}
    return {address: line for address, line in found.items() if address}


def list_files(line: Line) -> list[str]:
    """Return the files of a document, the uncompressed one first."""
    return [line["file"], *(variant["file"] for variant in line["encodings"])]


def copy_target(target: Path, copy: Path) -> Path:
    return Path(shutil.copytree(target, copy, symlinks=True))


@pytest.fixture(scope="module")
def base(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of the small site in the test database. Copy it before you write."""
    corpus.make_site()
    target = tmp_path_factory.mktemp("base")
    freeze(target)
    return target


@pytest.fixture
def target(base: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the target; edits of the database are rolled back after the test."""
    with transaction.atomic():
        yield copy_target(base, tmp_path / "again")
        transaction.set_rollback(True)


def find_differences_from_full(target: Path, folder: Path, at: datetime = NOW) -> set[str]:
    freeze(folder / "full", at)
    return target_files.find_differences(target, folder / "full")


QUICK_FIELDS = {
    "catalogue.App.icon_svg",
    "catalogue.Post.body_vi",
    "catalogue.FormerPostSlug.slug",
    "catalogue.TeamMember.name",
    "catalogue.TimelineLink.href",
}
NOT_SHOWN = {
    "catalogue.Revision.number",
    "catalogue.Revision.changed_at",
    "catalogue.Revision.public_changed_at",
}
"""Columns that no document shows."""


def mark_slow(*, quick: bool) -> Any:
    return () if quick else pytest.mark.exhaustive("changes every field and adds many rows")


@pytest.mark.parametrize(
    ("model", "field"),
    [
        pytest.param(model, each, id=str(each), marks=mark_slow(quick=str(each) in QUICK_FIELDS))
        for model in MODELS
        for each in edits.list_changeable_fields(model)
    ],
)
def test_the_next_freeze_publishes_a_change_of_any_field(
    model: Model, field: Field, target: Path, tmp_path: Path
) -> None:
    shown = any(is_published(edit, target) for edit in list_changes(model, field))

    assert shown == (str(field) not in NOT_SHOWN)
    assert find_differences_from_full(target, tmp_path) == set()


def list_changes(model: Model, field: Field) -> Iterator[Edit]:
    """Yield changes of the field in the first three rows."""
    for place, row in enumerate(model._base_manager.order_by("pk")[:3]):
        for value in edits.list_values(field):
            if getattr(row, field.attname) != value:
                values = {field.attname: value}
                yield partial(edits.change, model, place, **values)


def is_published(edit: Edit, target: Path) -> bool:
    """Do an edit and return whether a freeze publishes it; otherwise roll it back."""
    with transaction.atomic():
        shown = edits.try_edit(edit) and freeze(target) == PUBLISHED
        transaction.set_rollback(not shown)
    return shown


@pytest.mark.parametrize(
    ("model", "name"),
    [(model, each.name) for model in MODELS for each in model._meta.many_to_many],
)
def test_the_next_freeze_publishes_a_change_of_any_relation(
    model: Model, name: str, target: Path, tmp_path: Path
) -> None:
    edits.relate(model, name, 0, {1})

    assert freeze(target) == PUBLISHED
    assert find_differences_from_full(target, tmp_path) == set()


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, marks=mark_slow(quick=model in (Post, TimelineLink)))
        for model in MODELS
        if model not in (Revision, Studio)
    ],
)
def test_a_new_row_gives_the_bytes_of_a_full_freeze_and_its_deletion_the_earlier_bytes(
    model: Model, base: Path, target: Path, tmp_path: Path
) -> None:
    edits.copy(model, 1)

    assert freeze(target) == PUBLISHED
    assert find_differences_from_full(target, tmp_path) == set()

    model._base_manager.latest("pk").delete()
    assert freeze(target) == PUBLISHED
    assert target_files.find_differences(target, base) == set()


def test_due_content_is_published_and_an_earlier_moment_gives_the_earlier_bytes(
    base: Path, target: Path, tmp_path: Path
) -> None:
    assert freeze(target, DUE) == PUBLISHED
    assert read_lines(target).keys() > read_lines(base).keys()
    assert find_differences_from_full(target, tmp_path, DUE) == set()
    assert freeze(target, DUE + A_DAY) == UNCHANGED
    assert freeze(target, NOW) == PUBLISHED
    assert target_files.find_differences(target, base) == set()


DEPRECATED = partial(edits.change, ApiVersion, 1, **corpus.RETIRED)
RETITLED = partial(edits.change, Post, 0, title_en="Another title")
REDRAWN = partial(edits.change, PostPicture, 0, digest="2", png=b"\x89PNG 2")
RUNS: dict[str, list[Run]] = {
    "a short life": [([RETITLED, REDRAWN], NOW), ([DEPRECATED], DUE)],
    "a long life": [
        ([partial(edits.swap, Post, "publish_at", 0, 2), partial(edits.delete, Tag, 0)], NOW),
        ([partial(edits.copy, Post, 1), partial(edits.copy, App, 0, **corpus.SCHEDULED)], NOW),
        ([partial(edits.change, Post, 1, **corpus.TRANSLATION), DEPRECATED], DUE),
        ([partial(edits.change, Page, 3, title_vi="", summary_vi="", body_vi="")], NOW),
        ([partial(edits.change, App, 1, state=State.DRAFT), partial(edits.delete, Post, 0)], NOW),
        ([partial(edits.delete_all, Statistic), partial(edits.delete_all, TimelineEntry)], DUE),
    ],
    "a long blog": [([partial(corpus.make_blog, 130)], NOW), ([RETITLED], NOW)],
}
"""Runs of edits, each with the moment of the content that is frozen after them."""
Documents = dict[str, tuple[Line, dict[str, bytes]]]
"""The lines of documents in the manifest, and the bytes of their files."""


@pytest.mark.parametrize("step", [timedelta(0), A_DAY], ids=["at one moment", "a day later"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=mark_slow(quick=name == "a short life")) for name in RUNS]
)
def test_edits_give_what_full_freezes_give(name: str, step: timedelta, base: Path) -> None:
    compare_runs(base, RUNS[name], step)


def compare_runs(base: Path, sequence: Iterable[Run], step: timedelta = timedelta(0)) -> None:
    """Compare both freezes after each run of edits, which is refused by both or by none.

    An unchanged document has the bytes, validators and moment of the full freeze in which its
    content last changed, and all other headers of the last one. All edits are rolled back.
    """
    with TemporaryDirectory() as name, transaction.atomic():
        target, moment = copy_target(base, Path(name) / "again"), NOW
        expected = read_documents(base)
        for number, (changes, at) in enumerate(sequence):
            full, moment = Path(name) / f"full-{number}", moment + step
            with transaction.atomic():
                assert all(edits.try_edit(each) for each in changes)
                refused = freeze(full, at, moment) == processes.FAILED
                assert (freeze(target, at, moment) == processes.FAILED) == refused
                transaction.set_rollback(refused)
            if not refused:
                expected = expect_documents(expected, read_documents(full))
                assert step or target_files.find_differences(target, full) == set()
            assert read_documents(target) == expected
        transaction.set_rollback(True)


def read_documents(target: Path) -> Documents:
    public = target / "current/public"
    return {
        address: (line, {file: (public / file).read_bytes() for file in list_files(line)})
        for address, line in read_lines(target).items()
        if "document" in line
    }


def expect_documents(before: Documents, full: Documents) -> Documents:
    """Return the documents of a full freeze; those of unchanged content with their bytes."""
    return {
        address: keep_body(before[address], document)
        if address in before and remove_moment(before[address]) == remove_moment(document)
        else document
        for address, document in full.items()
    }


def remove_moment(document: tuple[Line, dict[str, bytes]]) -> bytes:
    line, bodies = document
    return MOMENT.sub(b"", bodies[line["file"]])


def keep_body(
    before: tuple[Line, dict[str, bytes]], now: tuple[Line, dict[str, bytes]]
) -> tuple[Line, dict[str, bytes]]:
    return now[0] | {name: before[0][name] for name in BODY_MEMBERS}, before[1]


def find_word(word: str, documents: Documents) -> set[str]:
    return {
        address
        for address, (line, bodies) in documents.items()
        if word in str(bodies[line["file"]])
    }


def read_inodes(target: Path) -> dict[str, list[int]]:
    public = target / "current/public"
    return {
        address: [(public / file).stat().st_ino for file in list_files(line)]
        for address, (line, _) in read_documents(target).items()
    }


WITH_MOMENTS = {"/sitemap.xml", "/blog/feed.json", "/blog/feed.xml"}
"""Documents with the moments in which posts were edited."""


@pytest.mark.parametrize(
    ("model", "slug", "field", "also"),
    [
        (Post, "newest", "body_vi", {"/blog/newest", *WITH_MOMENTS}),
        (Post, "middle", "title_en", WITH_MOMENTS),
        (Tag, "sound", "name_vi", set()),
        (App, "first", "name", {"/sitemap.xml"}),
    ],
)
def test_an_edit_rewrites_only_the_documents_that_show_it(
    model: Model, slug: str, field: str, also: set[str], target: Path
) -> None:
    """`also` are documents that have the moment of the edit."""
    rows = model._base_manager.filter(slug=slug)
    rows.update(**{field: "QuokkaAlone."})
    if model is not Tag:  # so that an edit in the same second has another moment
        model._base_manager.update(edited_at=timezone.now() - timedelta(hours=1))
    freeze(target)
    before, inodes = read_documents(target), read_inodes(target)
    rows.update(**{field: "WombatAlone."})

    assert freeze(target, moment=NOW + A_DAY) == PUBLISHED

    after = read_inodes(target)
    showing = find_word("WombatAlone", read_documents(target))
    assert showing
    assert showing == find_word("QuokkaAlone", before)
    assert {each for each in after if inodes[each] != after[each]} == showing | also
