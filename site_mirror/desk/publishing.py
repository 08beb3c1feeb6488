"""Publishing the site: the desk asks for it, and another process does it.

The desk writes a `Run` and creates a request file, which is empty. A unit of systemd, or a child
of `manage.py serve --publish`, finds the file and runs a job with `manage.py freeze --desk`.
The job locks the target and then removes the file, so one that is killed before leaves it to the
next job. It does what the last run asks for, and writes its progress, as lines of JSON, to a file
of the target. A job without a result has failed if nobody holds the lock.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from catalogue.content.published import Rows
from site_mirror.desk.models import Run
from site_mirror.freeze import up_to_date
from site_mirror.snapshot.files import read_file
from site_mirror.snapshot.layout import CONTENT, MANIFEST
from site_mirror.snapshot.manifest import read_manifest
from site_mirror.snapshot.target import Target

PROGRESS = "progress.jsonl"
TIMER = ".timer"
"""The suffix of the file that a timer touches when it asks for what falls due."""
UNTAKEN_AFTER = timedelta(seconds=15)
"""The time after which a request that no job has taken is reported."""
INTERVAL = timedelta(minutes=15)
"""The pause between two requests of a timer."""
WAITING, RUNNING, FAILED, PUBLIC, NOTHING = "waiting", "running", "failed", "public", "nothing"
FAILURES = ("", "failed", "taken back")
"""Outcomes of jobs that have failed; one that was killed has none."""


class Publication:
    """The state of the public site."""

    def __init__(self) -> None:
        target = find_target()
        # In this order, because a job removes the request while it has the lock, and then writes.
        self.waits_since = written_at(settings.PUBLISH_REQUEST)
        is_running, job_at = target.is_reserved, written_at(target.root / PROGRESS)
        self.progress = read_progress(target.root / PROGRESS)
        self.asked = Run.objects.select_related("author").first()
        if self.asked and (job_at is None or self.asked.asked_at > job_at):
            self.waits_since = self.waits_since or self.asked.asked_at
        self.timer_at = written_at(settings.PUBLISH_REQUEST.with_suffix(TIMER))
        deployed, served = target.deployed_release, find_served_release()
        self.served, self.is_verified = served, deployed is not None
        self.is_undeployed = served != target.release
        current = target.release.name if target.release else None
        self.is_held = self.asked is not None and self.asked.release == current
        """Whether somebody went back to a release, which stays until the site is published."""
        self.since = written_at(target.deployed if deployed else target.current)
        manifest = read_manifest(served / MANIFEST) if served else None
        self.documents = len(manifest.documents) if manifest else 0
        self.phase = PUBLIC if served else NOTHING
        if is_running:
            self.phase = RUNNING
        elif self.waits_since:
            self.phase = WAITING
        elif job_at and (self.progress["outcome"] in FAILURES or deployed != target.release):
            self.phase = FAILED

    @property
    def is_busy(self) -> bool:
        return self.phase in (WAITING, RUNNING)

    @property
    def is_untaken(self) -> bool:
        return self.phase == WAITING and is_older(self.waits_since, UNTAKEN_AFTER)

    @property
    def is_timer_alive(self) -> bool:
        return not is_older(self.timer_at, INTERVAL + timedelta(minutes=2))


def ask(author: Any, release: str = "") -> None:
    """Ask for a publication, or for the return to a release, once the transaction is committed."""
    Run.objects.create(asked_at=timezone.now(), author=author, release=release)
    transaction.on_commit(create_request)


def ask_for_rows(author: Any) -> None:
    """Ask for a publication after a change of rows, unless somebody went back to a release."""
    last = Run.objects.first()
    if not (last and last.goes_back):
        ask(author)


def create_request() -> None:
    # If this fails, nobody takes the request, and the screen says so.
    with suppress(OSError):
        settings.PUBLISH_REQUEST.parent.mkdir(parents=True, exist_ok=True)
        settings.PUBLISH_REQUEST.touch()


def find_target() -> Target:
    return Target(settings.SNAPSHOT)


def find_served_release() -> Path | None:
    """Return the release that readers see, as far as is known."""
    return find_target().deployed_release or find_target().release


def read_progress(file: Path) -> dict[str, Any]:
    """Return what the last job has written: of all lines, the last value of each member."""
    members: dict[str, Any] = {"step": "freeze", "documents": 0, "outcome": "", "error": ""}
    for line in file.read_bytes().splitlines() if file.exists() else ():
        with suppress(msgspec.DecodeError):  # The last line may be a part of one.
            members |= msgspec.json.decode(line, type=dict[str, Any])
    return members


def written_at(file: Path) -> datetime | None:
    """Return when a file or a link was written last; `None` if there is none."""
    try:
        return datetime.fromtimestamp(file.lstat().st_mtime, UTC)
    except OSError:
        return None


def is_older(moment: datetime | None, age: timedelta) -> bool:
    return moment is None or timezone.now() - moment > age


def read_content(release: Path | None) -> Mapping[str, Rows]:
    """Return the rows of a release by the name of their table; nothing if it does not tell them."""
    try:
        file = read_file(release, CONTENT) if release else b""
        return msgspec.json.decode(file, type=dict[str, Rows])
    except (OSError, msgspec.DecodeError):
        return {}


def is_up_to_date() -> bool:
    """Whether a freeze would change nothing, as far as this is known without one."""
    return up_to_date.unchanged_report(find_target(), timezone.now()) is not None
