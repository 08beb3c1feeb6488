"""Whatever fails, what was published stays, and the next freeze goes on by itself."""

import os
import re
import signal
import subprocess
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from time import sleep

import pytest

from catalogue.models import ApiVersion, Studio
from site_mirror.documents import Document
from site_mirror.snapshot import target as targets
from site_mirror.snapshot.batches import Given, Made
from site_mirror.snapshot.engine import Published, freeze
from site_mirror.snapshot.errors import (
    GatesFailed,
    InvalidDocument,
    NothingToPublish,
    TargetBusy,
    TargetUnusable,
    WrongVersion,
)
from site_mirror.snapshot.target import Target
from tests.freeze import makers, processes
from tests.freeze.plain import document, reading


def never(document: Document, stamp: str) -> None:
    """A check that lets everything pass."""


def refuse_the_second(document: Document, stamp: str) -> None:
    if document.address == "/second":
        raise InvalidDocument(document.address, "/title", "is too short")


def freeze_plainly(target: Path, *documents: Document, check: object = never) -> None:
    freeze(
        Target(target),
        reading(*documents),
        moment=makers.MOMENT,
        check=check,  # type: ignore[arg-type]
        progress=makers.unseen,
    )


def test_a_document_that_a_check_refuses_is_named_and_nothing_is_published(tmp_path: Path) -> None:
    freeze_plainly(tmp_path, document("/first"))
    before = makers.published(tmp_path)

    with pytest.raises(InvalidDocument, match="/second does not keep the contract at /title"):
        freeze_plainly(tmp_path, document("/third"), document("/second"), check=refuse_the_second)

    assert makers.published(tmp_path) == before
    assert makers.leftovers(tmp_path) == set()


def test_two_documents_on_one_file_are_both_named(tmp_path: Path) -> None:
    with pytest.raises(GatesFailed, match=r" /a and /a\.html would both be written to a\.html\.$"):
        freeze_plainly(tmp_path, document("/a"), document("/a.html"))

    assert not (tmp_path / "current").exists()


def test_a_catalogue_without_a_studio_does_not_replace_one_that_has(
    db: None, tmp_path: Path
) -> None:
    makers.make_site()
    makers.freeze_into(tmp_path)
    before = makers.published(tmp_path)
    Studio.objects.all().delete()

    with pytest.raises(NothingToPublish, match="Is the database the right one"):
        makers.freeze_into(tmp_path, makers.LATER)

    assert makers.published(tmp_path) == before


@pytest.mark.parametrize("breach", ["deleted", "contradicted"])
def test_a_catalogue_of_another_contract_is_not_published(
    breach: str, db: None, tmp_path: Path
) -> None:
    makers.make_site()
    makers.freeze_into(tmp_path)
    before = makers.published(tmp_path)
    versions = ApiVersion.objects.filter(version="v1")
    if breach == "deleted":
        versions.delete()
    else:
        versions.update(api_version="9.9.9")

    with pytest.raises(WrongVersion, match="this program serves"):
        makers.freeze_into(tmp_path, makers.LATER)

    assert makers.published(tmp_path) == before


def test_an_error_while_reading_leaves_what_is_published(tmp_path: Path) -> None:
    freeze_plainly(tmp_path, document("/first"))
    before = makers.published(tmp_path)

    with pytest.raises(ZeroDivisionError):
        freeze(
            Target(tmp_path),
            BrokenReading,
            moment=makers.LATER,
            check=never,
            progress=makers.unseen,
        )

    assert makers.published(tmp_path) == before
    assert makers.leftovers(tmp_path) == set()


class BrokenReading:
    """A read whose second document cannot be made."""

    def __enter__(self) -> Published:
        made = (Made([Given(document(f"/{1 // number}"))]) for number in (1, 0))
        return Published("https://studio.example", made, (), ())

    def __exit__(self, *error: object) -> None:
        pass


def test_a_row_that_only_the_contract_refuses_stops_the_command(
    database: Path, target: Path
) -> None:
    before = makers.published(target)
    with processes.edited(database) as connection:
        connection.execute("UPDATE catalogue_studio SET email = 'not@@mail'")
        connection.execute("UPDATE catalogue_app SET name = 'Another'")

    frozen = processes.freeze(target, database=database)

    assert frozen.returncode == processes.FAILED
    assert "/api/v1/studio does not keep the contract at /data/email" in frozen.stderr
    assert "not@@mail" in frozen.stderr
    assert makers.published(target) == before
    assert makers.leftovers(target) == set()
    assert makers.releases(target) == {before[0]}

    with processes.edited(database) as connection:
        connection.execute("UPDATE catalogue_studio SET email = 'a@mail.example'")
    assert processes.freeze(target, database=database).returncode == processes.PUBLISHED


@pytest.mark.parametrize("in_the_way", ["", "releases", "current"])
def test_something_in_the_way_is_named_and_left_alone(
    in_the_way: str, db: None, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    obstacle = target / in_the_way
    obstacle.parent.mkdir(exist_ok=True)
    if in_the_way == "current":
        obstacle /= "precious"
        obstacle.parent.mkdir()
    obstacle.write_text("precious")
    makers.make_site()

    with pytest.raises(TargetUnusable, match=f"^{re.escape(str(target))} cannot be written: .+"):
        makers.freeze_into(target)

    assert makers.tree(tmp_path).keys() - {"site/.lock"} == {str(obstacle.relative_to(tmp_path))}
    assert obstacle.read_text() == "precious"


KILLED = [
    "while-rendering",
    "while-linking",
    "staged",
    "before-the-rename",
    "before-the-swap",
]


def killed(point: str, target: Path, database: Path, *options: str) -> int:
    words = ("-m", "tests.freeze.stopped", point, "kill", str(target), *options)
    return processes.run(*words, database=database).returncode


@pytest.mark.parametrize("point", KILLED)
def test_a_kill_leaves_what_is_published_and_the_next_freeze_clears_up(
    point: str, database: Path, target: Path
) -> None:
    before = makers.published(target)
    processes.edit_everything(database)

    status = killed(point, target, database)

    assert status == -9
    assert makers.published(target) == before
    assert processes.freeze(target, database=database).returncode == processes.PUBLISHED
    assert makers.published(target) != before
    assert makers.leftovers(target) == set()
    assert makers.releases(target) == {before[0], str((target / "current").readlink())}


def test_a_kill_of_who_has_a_crew_leaves_nobody_who_holds_the_lock(
    database: Path, target: Path
) -> None:
    before = makers.published(target)
    processes.edit_everything(database)

    status = killed("while-others-render", target, database, "--jobs=2")
    ended = processes.freeze(target, database=database)

    assert status == -9
    assert ended.returncode == processes.PUBLISHED, ended.stderr
    assert makers.published(target) != before
    assert makers.leftovers(target) == set()


def stay(there: Event, seconds: float) -> None:
    there.set()
    sleep(seconds)


def copied(seconds: float) -> BaseProcess:
    """A copy of this process that is at work for a while."""
    forked = get_context("fork")
    there = forked.Event()
    copy = forked.Process(target=stay, args=[there, seconds])
    copy.start()
    assert there.wait(30)
    return copy


def lock_and_be_killed(target: Path, left: float) -> None:
    with Target(target).locked():
        copied(left)
        os.kill(os.getpid(), signal.SIGKILL)


def killed_with_a_copy(target: Path, left: float) -> int | None:
    process = get_context("fork").Process(target=lock_and_be_killed, args=(target, left))
    process.start()
    process.join()
    return process.exitcode


def test_a_copy_of_who_has_unlocked_holds_no_lock(tmp_path: Path) -> None:
    target = Target(tmp_path)
    with target.locked():
        copy = copied(60)

    with target.locked():
        assert copy.is_alive()
    copy.kill()
    copy.join()


def test_who_locks_waits_until_the_copies_of_who_was_killed_have_ended(tmp_path: Path) -> None:
    assert killed_with_a_copy(tmp_path, left=0.5) == -signal.SIGKILL

    with Target(tmp_path).locked():
        pass


def test_who_locks_does_not_wait_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "PATIENCE", 0.1)
    assert killed_with_a_copy(tmp_path, left=2) == -signal.SIGKILL

    with pytest.raises(TargetBusy, match="is at work in"), Target(tmp_path).locked():
        pass


def test_a_kill_after_the_swap_has_published_all_of_it(database: Path, target: Path) -> None:
    before = makers.published(target)
    processes.edit_everything(database)

    status = killed("after-the-swap", target, database)

    files = {file for entry in makers.frozen_manifest(target).documents for file in entry.files}
    assert status == -9
    assert makers.published(target) != before
    assert set(makers.tree(Target(target).public.resolve())) == files
    assert processes.freeze(target, database=database).returncode == processes.UNCHANGED
    assert makers.leftovers(target) == set()


def test_a_kill_while_a_release_is_published_again_leaves_it_served(
    database: Path, target: Path
) -> None:
    """A release whose manifest is unreadable gets the same id again when the moment is fixed."""
    before = makers.tree(Target(target).public.resolve())
    (target / "current/manifest.jsonl").write_text("{")

    status = processes.run(
        *("-m", "tests.freeze.stopped", "before-the-rename", "kill", str(target)),
        database=database,
        SOURCE_DATE_EPOCH="1767225600",
    ).returncode

    assert status == -9
    assert makers.tree(Target(target).public.resolve()) == before


def test_of_two_freezes_at_once_the_second_ends_and_names_the_first(
    database: Path, target: Path
) -> None:
    before = makers.published(target)
    processes.edit_everything(database)

    with waiting("while-rendering", target, database) as first:
        second = processes.freeze(target, database=database)
        meanwhile = makers.published(target)
        first.communicate("go on\n")

    assert second.returncode == processes.FAILED
    assert f"Another process ({first.pid}) is at work in {target}" in second.stderr
    assert meanwhile == before
    assert first.returncode == processes.PUBLISHED
    assert makers.published(target) != before
    assert makers.leftovers(target) == set()


def waiting(point: str, target: Path, database: Path) -> "subprocess.Popen[str]":
    """A freeze that has come to a point and waits there."""
    process = subprocess.Popen(
        [*processes.PYTHON, "-m", "tests.freeze.stopped", point, "wait", str(target)],
        cwd=processes.PROJECT,
        env=processes.environment(database),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if process.stdout is None or process.stdout.readline() != "stopped\n":
        process.kill()
        raise RuntimeError(f"The freeze did not come to {point}.")
    return process
