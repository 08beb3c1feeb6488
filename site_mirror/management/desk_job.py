"""The job that publishes for the editors' desk: its progress, and what follows a freeze."""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db import DatabaseError

from site_mirror.desk.models import Run
from site_mirror.desk.publishing import PROGRESS
from site_mirror.management.commands.releases import prune_releases
from site_mirror.management.commands.rollback import go_back
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.files import PRIVATE_FILE_MODE
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify

KEPT_RELEASES = 20
DEPLOY_SECONDS = 900
"""Time after which a deploy command is stopped: each later publication waits for it."""
SUCCESSES = (0, 3)
"""Exit codes of a command that has deployed; 3 says that nothing had changed, as elsewhere."""
MAX_TOLD_CHARACTERS = 500
"""The length of what is told of a failed command, whose last line may have megabytes."""

Members = dict[str, Any]
"""The members of a report."""
Tell = Callable[..., None]
"""Tells the desk some members of the progress."""


def run_job(
    folder: Path, freeze: Callable[[Tell], tuple[Members, str]], *, deploys: bool
) -> tuple[Members, str]:
    """Freeze the site, or go back to a release, as somebody asked last; return what was done.

    If this process is the whole job, it reserves the target. Otherwise `deploy.sh` has done that.
    """
    tell = partial(write_progress, folder / PROGRESS)
    with Target(folder).reserved() if deploys else nullcontext():
        if deploys:
            with suppress(OSError), open(folder / PROGRESS, "wb", opener=open_private):
                pass
            settings.PUBLISH_REQUEST.unlink(missing_ok=True)
        try:
            done, text = fulfil_wish(folder, freeze, tell, deploys=deploys)
            if deploys:
                deploy(folder, tell)
        except BaseException as error:
            members = error.members() if isinstance(error, FreezeError) else {}
            tell(outcome="failed", error=str(error) or type(error).__name__, **members)
            raise
        tell(outcome=done["outcome"])
    return done, text


def write_progress(file: Path, **members: Any) -> None:
    # A full disk must not end a job that could go on: the desk notices a job without a result.
    with suppress(OSError), open(file, "ab", opener=open_private) as progress:
        progress.write(orjson.dumps(members) + b"\n")


def open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, PRIVATE_FILE_MODE)


def fulfil_wish(
    folder: Path, freeze: Callable[[Tell], tuple[Members, str]], tell: Tell, *, deploys: bool
) -> tuple[Members, str]:
    asked = Run.objects.first()
    tell(step="freeze")
    if asked and asked.goes_back:
        try:
            # A release to which the site goes back is deployed as each one is.
            done, text = go_back(folder, asked.release, deployed=not deploys)
        except FreezeError:
            with suppress(DatabaseError):
                Run.objects.filter(pk=asked.pk).update(result="failed")
            raise
    else:
        done, text = freeze(tell)
    is_published = done["outcome"] == Outcome.PUBLISHED
    # The result only informs the screen, so a read-only database does not fail the job.
    with suppress(DatabaseError):
        wishes = Run.objects.filter(pk__lte=asked.pk if asked else 0, result="")
        wishes.update(result=done["release"] if is_published else done["outcome"])
    return done, text


def deploy(folder: Path, tell: Tell) -> None:
    """Verify the current release and deploy it, unless it is the deployed one."""
    target = Target(folder)
    if target.deployed_release == target.release:
        return
    tell(step="verify")
    for first in find_discrepancies(find_files_to_verify(folder)):
        raise FreezeError(f"The release is not as it was published: {first}.")
    if settings.DEPLOY_COMMAND:
        tell(step="deploy")
        run_deploy_command()
    prune_releases(target, KEPT_RELEASES, deployed=True)


def run_deploy_command() -> None:
    with subprocess.Popen(  # noqa: S602  (a setting of the operator)
        settings.DEPLOY_COMMAND,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            printed, warned = process.communicate(timeout=DEPLOY_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # The programs of the shell, too.
            raise FreezeError(
                "The release is made, and the command that deploys it was stopped because it took "
                f"longer than {DEPLOY_SECONDS / 60:.0f} minutes."
            ) from None
    if process.returncode not in SUCCESSES:
        last = (warned or printed).strip().rpartition("\n")[2][-MAX_TOLD_CHARACTERS:]
        raise FreezeError(
            f"The release is made, and the command that deploys it failed with exit code "
            f"{process.returncode}: {last or 'it has printed nothing'}"
        )
