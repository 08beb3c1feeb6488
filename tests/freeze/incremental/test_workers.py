"""A site has the same bytes with any number of workers; a failed worker publishes nothing."""

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.target import Target
from tests.freeze import processes, sites, target_files

EPOCH = "1767225600"
LONG_BLOG = """
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 300)
    INSERT INTO catalogue_post (state, publish_at, slug, title_en, title_vi, excerpt_en, excerpt_vi,
        body_en, body_vi, feed_id_en, feed_id_vi)
    SELECT 'published', '2025-01-01 00:00:00', 'n' || n, 'Text ' || n, 'Bài ' || n, 'One.', 'Một.',
        'Text ' || n, 'Bài ' || n, 'urn:x:en:' || n, 'urn:x:vi:' || n
    FROM number
"""
"""Inserts enough posts for several batches, so that the command starts workers by default."""


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


@pytest.mark.exhaustive("freezes a long blog by the command with each number of workers")
def test_a_long_blog_has_the_same_bytes_with_any_number_of_workers(
    database: Path, tmp_path: Path
) -> None:
    with processes.open_database(database) as connection:
        connection.execute(LONG_BLOG)
    for jobs in ("1", "2", "5", ""):  # no workers, one for each core, more than cores, the default
        options = [f"--jobs={jobs}"] if jobs else []
        processes.freeze(
            tmp_path / f"site{jobs}", *options, database=database, SOURCE_DATE_EPOCH=EPOCH
        )

    assert len(target_files.read_entries(tmp_path / "site1")) > 1200
    for jobs in ("2", "5", ""):
        found = target_files.find_differences(tmp_path / f"site{jobs}", tmp_path / "site1")
        assert found == set(), jobs


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
    incremental, full = (Target(site).public.resolve() for site in (small_site, tmp_path / "full"))
    assert target_files.read_tree(incremental) == target_files.read_tree(full)
