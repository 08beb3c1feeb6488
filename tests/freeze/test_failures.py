"""A failed freeze keeps the published release, and the next freeze needs no manual repair."""

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
from site_mirror.documents.family import Document
from site_mirror.snapshot import target as targets
from site_mirror.snapshot.errors import (
    GatesFailed,
    NothingToPublish,
    NotRendered,
    TargetBusy,
    TargetUnusable,
    WrongVersion,
)
from site_mirror.snapshot.target import Target
from tests.freeze import engine, processes, sites, target_files
from tests.freeze.engine import OpenGates, PlainBatch, make_document


def refuse_the_second(document: Document, generated_at: str) -> None:
    if document.address == "/second":
        raise NotRendered(document.address, "its title is too short")


def test_a_document_that_a_check_refuses_is_named_and_nothing_is_published(tmp_path: Path) -> None:
    engine.publish(tmp_path, make_document("/first"))
    before = target_files.read_published(tmp_path)

    with pytest.raises(NotRendered, match="/second cannot be rendered: its title is too short"):
        engine.publish(
            tmp_path,
            make_document("/third"),
            make_document("/second"),
            gates=OpenGates(refuse_the_second),
        )

    assert target_files.read_published(tmp_path) == before
    assert target_files.find_leftovers(tmp_path) == set()


def test_two_documents_on_one_file_are_both_named(tmp_path: Path) -> None:
    with pytest.raises(GatesFailed, match=r" /a and /a\.html would both be written to a\.html\.$"):
        engine.publish(tmp_path, make_document("/a"), make_document("/a.html"))

    assert not (tmp_path / "current").exists()


def test_a_database_without_a_studio_does_not_replace_the_published_release(
    db: None, tmp_path: Path
) -> None:
    sites.make_site()
    sites.freeze_into(tmp_path)
    before = target_files.read_published(tmp_path)
    Studio.objects.all().delete()

    with pytest.raises(NothingToPublish, match="Is the database the right one"):
        sites.freeze_into(tmp_path, sites.LATER)

    assert target_files.read_published(tmp_path) == before


@pytest.mark.parametrize("breach", ["deleted", "contradicted"])
def test_a_database_with_another_version_of_the_contract_is_not_published(
    breach: str, db: None, tmp_path: Path
) -> None:
    sites.make_site()
    sites.freeze_into(tmp_path)
    before = target_files.read_published(tmp_path)
    versions = ApiVersion.objects.filter(version="v1")
    if breach == "deleted":
        versions.delete()
    else:
        versions.update(api_version="9.9.9")

    with pytest.raises(WrongVersion, match="this program serves"):
        sites.freeze_into(tmp_path, sites.LATER)

    assert target_files.read_published(tmp_path) == before


def test_an_error_while_rows_are_read_keeps_the_published_release(tmp_path: Path) -> None:
    engine.publish(tmp_path, make_document("/first"))
    before = target_files.read_published(tmp_path)

    with pytest.raises(ZeroDivisionError):
        engine.publish(tmp_path, site=engine.make_site_content([BrokenBatch([])]))

    assert target_files.read_published(tmp_path) == before
    assert target_files.find_leftovers(tmp_path) == set()


class BrokenBatch(PlainBatch, frozen=True):
    """A batch whose rows cannot be read."""

    def load(self) -> PlainBatch:
        raise ZeroDivisionError


@pytest.mark.exhaustive("freezes the shipped content three times by the command")
def test_a_row_that_only_the_contract_refuses_stops_the_command(
    database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    with processes.open_database(database) as connection:
        connection.execute("UPDATE catalogue_studio SET email = 'not@@mail'")
        connection.execute("UPDATE catalogue_app SET name = 'Another'")

    frozen = processes.freeze(target, database=database)

    assert frozen.returncode == processes.FAILED
    assert "/api/v1/studio does not keep the contract at /data/email" in frozen.stderr
    assert "not@@mail" in frozen.stderr
    assert target_files.read_published(target) == before
    assert target_files.find_leftovers(target) == set()
    assert target_files.list_releases(target) == {before[0]}

    with processes.open_database(database) as connection:
        connection.execute("UPDATE catalogue_studio SET email = 'a@mail.example'")
    assert processes.freeze(target, database=database).returncode == processes.PUBLISHED


@pytest.mark.parametrize("in_the_way", ["", "releases", "current"])
def test_a_file_at_the_path_of_the_target_is_named_and_not_changed(
    in_the_way: str, db: None, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    obstacle = target / in_the_way
    obstacle.parent.mkdir(exist_ok=True)
    if in_the_way == "current":
        obstacle /= "precious"
        obstacle.parent.mkdir()
    obstacle.write_text("precious")
    sites.make_site()

    with pytest.raises(TargetUnusable, match=f"^{re.escape(str(target))} cannot be written: .+"):
        sites.freeze_into(target)

    assert target_files.read_tree(tmp_path).keys() - {"site/.lock"} == {
        str(obstacle.relative_to(tmp_path))
    }
    assert obstacle.read_text() == "precious"


KILL_POINTS = [
    "while-rendering",
    "while-linking",
    "staged",
    "before-the-rename",
    "before-the-swap",
]


def run_and_kill(point: str, target: Path, database: Path, *options: str) -> int:
    words = ("-m", "tests.freeze.stopped_freeze", point, "kill", str(target), *options)
    return processes.run(*words, database=database).returncode


@pytest.mark.exhaustive("kills and repeats a freeze of the shipped content at each point")
@pytest.mark.parametrize("point", KILL_POINTS)
def test_a_kill_keeps_the_published_release_and_the_next_freeze_removes_leftovers(
    point: str, database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    processes.edit_everything(database)

    status = run_and_kill(point, target, database)

    assert status == -9
    assert target_files.read_published(target) == before
    assert processes.freeze(target, database=database).returncode == processes.PUBLISHED
    assert target_files.read_published(target) != before
    assert target_files.find_leftovers(target) == set()
    assert target_files.list_releases(target) == {before[0], str((target / "current").readlink())}


@pytest.mark.exhaustive("kills a freeze of the shipped content with two workers")
def test_a_freeze_can_lock_the_target_after_a_freeze_with_workers_was_killed(
    database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    processes.edit_everything(database)

    status = run_and_kill("while-others-render", target, database, "--jobs=2")
    ended = processes.freeze(target, database=database)

    assert status == -9
    assert ended.returncode == processes.PUBLISHED, ended.stderr
    assert target_files.read_published(target) != before
    assert target_files.find_leftovers(target) == set()


def wait_in_copy(there: Event, seconds: float) -> None:
    there.set()
    sleep(seconds)


def fork_copy(seconds: float) -> BaseProcess:
    """Fork a copy of this process that sleeps for some seconds."""
    forked = get_context("fork")
    there = forked.Event()
    copy = forked.Process(target=wait_in_copy, args=[there, seconds])
    copy.start()
    assert there.wait(30)
    return copy


def lock_and_be_killed(target: Path, left: float) -> None:
    with Target(target).locked():
        copy = fork_copy(left)
        target.with_name("copy").write_text(str(copy.pid))
        os.kill(os.getpid(), signal.SIGKILL)


def kill_with_living_copy(target: Path, left: float) -> int | None:
    process = get_context("fork").Process(target=lock_and_be_killed, args=(target, left))
    process.start()
    process.join()
    return process.exitcode


def test_a_forked_copy_does_not_hold_a_lock_that_was_released(tmp_path: Path) -> None:
    target = Target(tmp_path)
    with target.locked():
        copy = fork_copy(60)

    with target.locked():
        assert copy.is_alive()
    copy.kill()
    copy.join()


def test_a_lock_waits_for_forked_copies_of_a_killed_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 60)
    assert kill_with_living_copy(tmp_path / "site", left=0.5) == -signal.SIGKILL

    with Target(tmp_path / "site").locked():
        pass


def test_a_lock_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    assert kill_with_living_copy(tmp_path / "site", left=60) == -signal.SIGKILL

    with pytest.raises(TargetBusy, match="is at work in"), Target(tmp_path / "site").locked():
        pass
    os.kill(int((tmp_path / "copy").read_text()), signal.SIGKILL)


@pytest.mark.exhaustive("kills a freeze of the shipped content in another process")
def test_a_kill_after_the_swap_has_published_the_whole_release(
    database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    processes.edit_everything(database)

    status = run_and_kill("after-the-swap", target, database)

    files = {file for entry in target_files.read_manifest(target).documents for file in entry.files}
    assert status == -9
    assert target_files.read_published(target) != before
    assert set(target_files.read_tree(Target(target).public.resolve())) == files
    assert processes.freeze(target, database=database).returncode == processes.UNCHANGED
    assert target_files.find_leftovers(target) == set()


@pytest.mark.exhaustive("kills a freeze of the shipped content in another process")
def test_a_kill_while_the_same_release_id_is_published_keeps_it_served(
    database: Path, target: Path
) -> None:
    """A release whose manifest is unreadable gets the same id again when the moment is fixed."""
    before = target_files.read_tree(Target(target).public.resolve())
    (target / "current/manifest.jsonl").write_text("{")

    status = processes.run(
        *("-m", "tests.freeze.stopped_freeze", "before-the-rename", "kill", str(target)),
        database=database,
        SOURCE_DATE_EPOCH="1767225600",
    ).returncode

    assert status == -9
    assert target_files.read_tree(Target(target).public.resolve()) == before


@pytest.mark.exhaustive("runs two freezes of the shipped content at the same time")
def test_the_second_of_two_concurrent_freezes_fails_and_names_the_process_of_the_first(
    database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    processes.edit_everything(database)

    with start_waiting_freeze("while-rendering", target, database) as first:
        second = processes.freeze(target, database=database)
        meanwhile = target_files.read_published(target)
        first.communicate("go on\n")

    assert second.returncode == processes.FAILED
    assert f"Another process ({first.pid}) is at work in {target}" in second.stderr
    assert meanwhile == before
    assert first.returncode == processes.PUBLISHED
    assert target_files.read_published(target) != before
    assert target_files.find_leftovers(target) == set()


def start_waiting_freeze(point: str, target: Path, database: Path) -> "subprocess.Popen[str]":
    """Start a freeze that waits at a point."""
    process = subprocess.Popen(
        [*processes.PYTHON, "-m", "tests.freeze.stopped_freeze", point, "wait", str(target)],
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
