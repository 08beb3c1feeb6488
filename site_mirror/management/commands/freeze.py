"""The door to the freeze: arguments in, a report and an exit code out."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from site_mirror.documents import Document
from site_mirror.freezing import freeze_site
from site_mirror.snapshot.engine import Outcome, Report
from site_mirror.snapshot.errors import FreezeError

NOTHING_CHANGED = 3


class Command(BaseCommand):
    help = (
        "Export everything that is published as a static snapshot: TARGET/current/public. "
        "Exit codes: 0 published, 3 nothing changed, 1 failed (what was published stays), 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=folder, help="folder that holds the releases")
        parser.add_argument("--json", action="store_true", help="report as JSON on standard output")

    def handle(self, *, target: Path, json: bool, **options: Any) -> None:
        now = timezone.now()
        moment = reproducible_moment(os.environ) or now
        try:
            with progress_shown() as progress:
                report = freeze_site(target, at=now, moment=moment, progress=progress)
        except FreezeError as error:
            self.fail(error, json=json)
        self.stdout.write(as_json(report.members()) if json else in_words(report, target))
        if report.outcome is Outcome.UNCHANGED:
            sys.exit(NOTHING_CHANGED)

    def fail(self, error: FreezeError, *, json: bool) -> NoReturn:
        if json:
            self.stdout.write(as_json({"outcome": "failed", "error": str(error)}))
        raise CommandError(str(error)) from error


def folder(value: str) -> Path:
    """A folder by its name; an unset variable of a deploy job is not one."""
    if not value.strip():
        raise ArgumentTypeError("name the folder that holds the releases; the name is empty")
    return Path(value)


def reproducible_moment(environment: Mapping[str, str]) -> datetime | None:
    """The moment that SOURCE_DATE_EPOCH fixes: seconds since 1970, UTC."""
    given = environment.get("SOURCE_DATE_EPOCH")
    if given is None:
        return None
    try:
        return datetime.fromtimestamp(natural(given), UTC)
    except (ValueError, OverflowError, OSError):
        message = f"SOURCE_DATE_EPOCH={given!r}: use whole seconds since 1970, such as 1767225600."
        raise CommandError(message, returncode=2) from None


def natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


@contextmanager
def progress_shown() -> Iterator[Callable[[Document], None]]:
    """A live count on a terminal; nothing at all in a pipe."""
    if not sys.stderr.isatty():
        yield lambda document: None
        return
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} documents"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("freeze", total=None)
        yield lambda document: progress.advance(task)


def as_json(members: dict[str, Any]) -> str:
    return orjson.dumps(members).decode()


def in_words(report: Report, target: Path) -> str:
    if report.outcome is Outcome.UNCHANGED:
        return f"Nothing changed: {report.documents} documents, release {report.release} stays."
    seconds = sum(report.seconds.values())
    return (
        f"Published {report.documents} documents as {target}/current "
        f"(release {report.release}): {report.written} files written, {report.kept} kept, "
        f"{report.removed} documents removed, {seconds:.2f} s."
    )
