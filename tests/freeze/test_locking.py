"""A freeze locks its target before its workers start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_mirror.freeze import site
from site_mirror.freeze.workers import worker_pool
from site_mirror.snapshot.errors import TargetBusy
from site_mirror.snapshot.pool import Pool
from site_mirror.snapshot.target import Target
from tests.freeze import sites


def test_workers_inherit_the_lock(small_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next freeze waits for a worker that outlives a killed freeze."""

    @contextmanager
    def started(jobs: int | None) -> Iterator[Pool]:
        with pytest.raises(TargetBusy), Target(small_site).locked(wait=False):
            pass
        with worker_pool(jobs) as pool:
            yield pool

    monkeypatch.setattr(site, "worker_pool", started)
    sites.edit_post("older", title_en="Another title")

    assert sites.freeze_into(small_site, sites.LATER).outcome == "published"
