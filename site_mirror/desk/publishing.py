"""Publishing the site: the desk asks for it, and another process does it.

The desk writes a `Run` and creates a request file, which is empty. Whoever finds the file (a unit
of systemd, or the parent process of `manage.py serve --publish`) removes it and runs a job with
`manage.py freeze --desk`. The job does what the last run asks for, and writes its progress, as
lines of JSON, to a file of the target. It holds a lock of the target, so a job without a result
has failed if nobody holds the lock.
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from msgspec import Struct, field

from site_mirror.desk.models import Run
from site_mirror.freeze import up_to_date
from site_mirror.snapshot.target import Target

PROGRESS = "progress.jsonl"
UNTAKEN_AFTER = timedelta(seconds=15)
"""The time after which a request that no job has taken is reported."""
INTERVAL = timedelta(minutes=15)
"""The pause between two jobs that nobody has asked for."""
WAITING, RUNNING, FAILED, PUBLIC, NOTHING = "waiting", "running", "failed", "public", "nothing"
FAILURES = ("", "failed", "taken back")
"""Outcomes of jobs that have failed; one that was killed has none."""


class Progress(Struct):
    """What a job has written: the members of all lines, of which the last of a name holds."""

    run: int = 0
    step: str = "freeze"
    documents: int = 0
    outcome: str = ""
    error: str = ""
    gates: list[dict[str, Any]] = field(default_factory=list)


class Publication(Struct):
    """The state of the public site; `since` is when the served release was published."""

    phase: str
    asked: Run | None
    progress: Progress
    job_at: datetime | None
    since: datetime | None
    documents: int
    is_verified: bool

    @property
    def is_busy(self) -> bool:
        return self.phase in (WAITING, RUNNING)

    @property
    def is_untaken(self) -> bool:
        asked = self.asked
        is_late = asked is not None and timezone.now() - asked.asked_at > UNTAKEN_AFTER
        return self.phase == WAITING and is_late

    @property
    def is_held(self) -> bool:
        """Whether somebody went back to a release, which stays until the site is published."""
        return self.asked is not None and bool(self.asked.release)

    @property
    def is_repeated(self) -> bool:
        """Whether jobs are run again and again, so that what falls due is published."""
        return self.job_at is not None and timezone.now() - self.job_at < 2 * INTERVAL

    @property
    def failures(self) -> list[str]:
        """The sentences of the gates that have refused the release, or the error."""
        found = [words for gate in self.progress.gates for words in gate.get("failures", ())]
        return found or [self.progress.error.partition("\n")[0]][: bool(self.progress.error)]


def ask(author: Any, release: str = "") -> Run:
    """Ask for a publication, or for the return to a release, once the transaction is committed."""
    run = Run.objects.create(asked_at=timezone.now(), author=author, release=release)
    transaction.on_commit(create_request)
    return run


def ask_for_rows(author: Any) -> None:
    """Ask for a publication after a change of rows, unless somebody went back to a release."""
    last = Run.objects.first()
    if not (last and last.release):
        ask(author)


def create_request() -> None:
    # If this fails, nobody takes the request, and the screen says so.
    with suppress(OSError):
        settings.PUBLISH_REQUEST.parent.mkdir(parents=True, exist_ok=True)
        settings.PUBLISH_REQUEST.touch()


def find_target() -> Target:
    return Target(settings.SNAPSHOT)


def read_publication() -> Publication:
    target = find_target()
    is_running = target.is_reserved  # First: what is read later has then been written by its job.
    progress, job_at = read_progress(target.root / PROGRESS)
    asked = Run.objects.select_related("author").first()
    release, manifest = target.release, target.manifest()
    is_verified = release is not None and target.deployed_release == release
    if is_running:
        phase = RUNNING
    elif asked and is_after(asked, progress, job_at):
        phase = WAITING
    elif job_at and (progress.outcome in FAILURES or not is_verified):
        phase = FAILED
    else:
        phase = PUBLIC if release else NOTHING
    since = moment_of(target.current.lstat().st_mtime) if release else None
    documents = len(manifest.documents) if manifest else 0
    return Publication(phase, asked, progress, job_at, since, documents, is_verified)


def is_after(asked: Run, progress: Progress, job_at: datetime | None) -> bool:
    """Whether somebody has asked since the last job looked; a job may fail before it looks."""
    if progress.run:
        return asked.pk > progress.run
    return job_at is None or asked.asked_at > job_at


def read_progress(file: Path) -> tuple[Progress, datetime | None]:
    """Return the progress of the last job, and when it was written."""
    members: dict[str, Any] = {}
    try:
        lines, written = file.read_bytes().splitlines(), moment_of(file.stat().st_mtime)
    except OSError:
        return Progress(), None
    for line in lines:
        with suppress(msgspec.DecodeError):  # The last line may be a part of one.
            members |= msgspec.json.decode(line, type=dict[str, Any])
    try:
        return msgspec.convert(members, Progress), written
    except msgspec.ValidationError:
        return Progress(), written


def moment_of(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def is_up_to_date() -> bool:
    """Whether a freeze would change nothing, as far as this is known without one."""
    return up_to_date.unchanged_report(find_target(), timezone.now()) is not None
