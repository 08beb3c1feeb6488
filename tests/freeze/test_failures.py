"""A failed freeze keeps the published release, and the next freeze needs no manual repair."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from time import sleep

import pytest

from catalogue.models import ApiVersion, Studio
from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.freeze import site
from site_mirror.freeze.workers import worker_pool
from site_mirror.snapshot import target as targets
from site_mirror.snapshot.batch import PlannedDocument
from site_mirror.snapshot.errors import FreezeError, GatesFailed
from site_mirror.snapshot.pool import Pool
from site_mirror.snapshot.target import Target
from tests.freeze import engine, sites, target_files
from tests.freeze.engine import OpenGates, PlainBatch, make_document, plan_document


class BrokenBatch(PlainBatch, frozen=True):
    """A batch of which one document has no text."""

    def render(self, planned: PlannedDocument, built: Built) -> Document:
        if planned.address == "/edited":
            raise ValueError("no text")
        return planned.subject


def refuse_edited(document: Document, body: bytes) -> None:
    if document.address == "/edited":
        raise ValueError("no text")


@pytest.mark.parametrize(
    "broken",
    [
        {"batch": BrokenBatch},
        {"gates": OpenGates(refuse_edited)},
        {"gates": OpenGates(refuse_edited), "dry_run": True},
    ],
    ids=["a renderer", "a check", "a check without publishing"],
)
def test_an_error_names_its_document_and_nothing_is_published(
    broken: dict[str, object], tmp_path: Path
) -> None:
    engine.publish(tmp_path, make_document("/first"))
    before = target_files.read_published(tmp_path)
    planned = [plan_document(each, kind=str(9 - n)) for n, each in enumerate(engine.FIRST)]
    batch = broken.pop("batch", PlainBatch)

    with pytest.raises(FreezeError, match=r"^/edited cannot be rendered: ValueError: no text\.$"):
        engine.publish(tmp_path, site=engine.make_site_content([batch(planned)]), **broken)

    assert target_files.read_published(tmp_path) == before
    assert target_files.find_leftovers(tmp_path) == set()


def test_two_documents_on_one_file_are_both_named(tmp_path: Path) -> None:
    with pytest.raises(GatesFailed, match=r" /a and /a\.html would both be written to a\.html\.$"):
        engine.publish(tmp_path, make_document("/a"), make_document("/a.html"))

    assert not (tmp_path / "current").exists()


BREACHES: dict[str, Callable[[], object]] = {
    "There is no studio to publish": lambda: Studio.objects.all().delete(),
    "v1 is at no version, and": lambda: ApiVersion.objects.filter(version="v1").delete(),
    "v1 is at 9.9.9, and": lambda: ApiVersion.objects.update(api_version="9.9.9"),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_foreign_content_does_not_replace_the_published_release(
    breach: str, small_site: Path
) -> None:
    before = target_files.read_published(small_site)
    BREACHES[breach]()

    with pytest.raises(FreezeError, match=breach):
        sites.freeze_into(small_site, sites.LATER)

    assert target_files.read_published(small_site) == before


@pytest.mark.parametrize("in_the_way", ["", "releases", "current/precious"])
def test_a_file_at_the_path_of_the_target_is_named_and_not_changed(
    in_the_way: str, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    obstacle = target / in_the_way
    obstacle.parent.mkdir(parents=True, exist_ok=True)
    obstacle.write_text("precious")

    with pytest.raises(FreezeError, match=f"^{re.escape(str(target))} cannot be written: .+"):
        engine.publish(target, *engine.FIRST)

    assert target_files.read_tree(tmp_path).keys() - {"site/.lock"} == {
        str(obstacle.relative_to(tmp_path))
    }
    assert obstacle.read_text() == "precious"


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


def lock_and_be_killed(target: Path) -> None:
    with Target(target).locked():
        fork_copy(0.5)
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_lock_waits_for_forked_copies_of_a_killed_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 60)
    process = get_context("fork").Process(target=lock_and_be_killed, args=[tmp_path])
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL

    with Target(tmp_path).locked():
        copy = fork_copy(60)
    with Target(tmp_path).locked():  # Unlike the killed process, this one unlocked it.
        assert copy.is_alive()
    copy.kill()
    copy.join()


def test_a_lock_times_out_and_names_its_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)

    with (
        Target(tmp_path).locked(),
        pytest.raises(FreezeError, match=f"Another process .{os.getpid()}. is at work in"),
        Target(tmp_path).locked(),
    ):
        pass


def test_workers_inherit_the_lock(small_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next freeze waits for a worker that outlives a killed freeze."""

    @contextmanager
    def started(jobs: int | None) -> Iterator[Pool]:
        with pytest.raises(FreezeError), Target(small_site).locked(wait=False):
            pass
        with worker_pool(jobs) as pool:
            yield pool

    monkeypatch.setattr(site, "worker_pool", started)
    sites.edit_post("older", title_en="Another title")

    assert sites.freeze_into(small_site, sites.LATER).outcome == "published"
