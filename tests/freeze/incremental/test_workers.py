"""A site has the same bytes with any number of workers; a failed worker publishes nothing."""

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from tests.freeze import processes, sites, target_files

EPOCH = "1767225600"


@pytest.mark.parametrize(
    "jobs",
    [["--jobs=2"], pytest.param(["--jobs=1"], marks=pytest.mark.exhaustive("freezes once more"))],
)
def test_the_shipped_content_has_the_same_bytes_with_any_number_of_workers(
    jobs: list[str], shipped_database: Path, shipped_target: Path, tmp_path: Path
) -> None:
    frozen = processes.freeze(tmp_path, *jobs, database=shipped_database, SOURCE_DATE_EPOCH=EPOCH)

    assert frozen.returncode == processes.PUBLISHED
    assert target_files.find_differences(tmp_path, shipped_target) == set()


def break_worker() -> None:
    raise ValueError("a broken text")


def kill_worker() -> None:
    os.kill(os.getpid(), 9)


@pytest.mark.parametrize(
    ("happen", "message"),
    [(break_worker, "ValueError: a broken text"), (kill_worker, "A worker ended unexpectedly")],
)
def test_a_failed_worker_publishes_nothing_and_the_next_freeze_succeeds(
    happen: Callable[[], None],
    message: str,
    small_site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = target_files.read_published(small_site)
    sites.edit_post("older", title_en="Another title")

    def fail_in_worker(markdown: str) -> int:
        if multiprocessing.parent_process():
            happen()
        return 1

    with monkeypatch.context() as patch, pytest.raises(FreezeError, match=message):
        patch.setattr("site_mirror.pages.blog.read_minutes", fail_in_worker)
        sites.freeze_into(small_site, jobs=2)

    assert target_files.read_published(small_site) == before
    assert target_files.find_leftovers(small_site) == set()
    sites.freeze_into(small_site, jobs=2)
    sites.freeze_into(tmp_path / "full", jobs=1)
    # A second release of one moment has no `Last-Modified`, so the manifests differ.
    incremental, full = (
        (site / "current/public").resolve() for site in (small_site, tmp_path / "full")
    )
    assert target_files.read_tree(incremental) == target_files.read_tree(full)
