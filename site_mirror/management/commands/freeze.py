"""Freeze the site: arguments, the report as text or JSON, and the exit code."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from msgspec.structs import asdict

from catalogue.moments import iso_moment
from site_mirror.freeze import up_to_date
from site_mirror.gates.deletions import MAX_DELETED_PERCENT
from site_mirror.management import command_line, desk_job
from site_mirror.snapshot import releases
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.target import Target


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Export everything that is published as a static snapshot: TARGET/current/public. "
        "Exit codes: 0 published, 3 nothing changed, 1 failed (the published release stays), "
        "2 usage. "
        "With --check or --diff nothing is published, and 0 means that something would be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_target(parser)
        command_line.add_json(parser)
        parser.add_argument(
            "--as-of", type=parse_moment, metavar="TIME", help="freeze the site as it will be then"
        )
        parser.add_argument(
            "--jobs",
            type=command_line.parse_count,
            metavar="N",
            help="processes that render; by the cores",
        )
        parser.add_argument(
            "--expect-previous",
            action="store_true",
            help="fail if the target has no readable release to compare with, as after the loss "
            "of a cache",
        )
        parser.add_argument(
            "--retire",
            action="append",
            default=[],
            type=parse_address,
            metavar="ADDRESS",
            help="let an address and its mirror go, such as /blog/x; may be repeated",
        )
        parser.add_argument(
            "--deletions",
            type=parse_percentage,
            default=MAX_DELETED_PERCENT,
            metavar="N",
            help=f"let at most N %% of the documents go at once ({MAX_DELETED_PERCENT})",
        )
        parser.add_argument(
            "--allow-deletions", action="store_true", help="let any number of documents go"
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="read every published file that is reused, and write damaged files again",
        )
        parser.add_argument(
            "--desk",
            choices=("freeze", "deploy"),
            help="as an editor asked last: freeze, or go back to a release; tell the desk. With "
            "“deploy”, also verify the release and run DEPLOY_COMMAND",
        )
        either = parser.add_mutually_exclusive_group()
        either.add_argument("--check", action="store_true", help="do everything but publish")
        either.add_argument("--diff", action="store_true", help="list changed addresses")

    def handle(self, *, target: Path, json: bool, desk: str | None, **options: Any) -> None:
        freeze = partial(self.freeze, target, options)
        with command_line.report_failures(self, json=json):
            members, text = (
                desk_job.run_job(target, freeze, deploys=desk == "deploy") if desk else freeze(None)
            )
        command_line.write_report(self, members, text, json=json)
        if members["outcome"] == Outcome.UNCHANGED:
            sys.exit(command_line.NOTHING_CHANGED)

    def freeze(
        self, target: Path, options: Mapping[str, Any], tell: desk_job.Tell | None
    ) -> tuple[dict[str, Any], str]:
        """Freeze the site unless nothing has changed; return the report, also as text."""
        fixed = reproducible_moment()
        at = options["as_of"] or timezone.now()
        must_build = options["check"] or options["diff"] or options["verify"]
        if options["expect_previous"]:
            expect_release(target)
        report = None
        if not must_build:
            Target(target).remove_leftovers_if_idle()
            report = up_to_date.unchanged_report(Target(target), at)
        doubt = "" if report else find_doubt(target, fixed or timezone.now())
        if doubt:
            command_line.write_line(self.stderr, doubt)
        report = report or run_freeze(target, at, fixed, options, tell)
        for sentence in damage_sentences(report):
            command_line.write_line(self.stderr, sentence)
        members = freeze_members(report, options) | ({"doubt": doubt} if doubt else {})
        return members, freeze_text(report, target)


def expect_release(folder: Path) -> None:
    """Raise an error if a target has no release with which gates can compare the next one."""
    if Target(folder).manifest() is None:
        raise FreezeError(
            f"{folder} has no readable release, but --expect-previous says that one was "
            "published: restore it, or leave out the option to publish a first one."
        )


def find_doubt(folder: Path, moment: datetime) -> str:
    """Return a warning about missing triggers, or about a clock that is or was wrong."""
    if not releases.is_published_after(Target(folder), moment):
        return up_to_date.missing_triggers_warning()
    return (
        f"This freeze is of {iso_moment(moment)}, and the published release is later: "
        f"{Target(folder).current.readlink().name}. Is the clock right, or was it ahead? "
        "Moments later than now are not kept."
    )


def run_freeze(
    target: Path,
    at: datetime,
    fixed: datetime | None,
    options: Mapping[str, Any],
    tell: desk_job.Tell | None = None,
) -> Report:
    """Freeze the site; show the number of documents so far, or tell it.

    Most modules are imported here, because a freeze that has nothing to do does not need them.
    """
    from site_mirror.freeze.site import freeze_site  # noqa: PLC0415
    from site_mirror.snapshot.freeze import Options  # noqa: PLC0415

    is_watched = sys.stderr.isatty() and not tell
    watch = show_progress if is_watched else None
    progress = (lambda documents: tell(documents=documents)) if tell else watch
    try:
        return freeze_site(
            target,
            at=at,
            generated_at=fixed or timezone.now(),
            is_dated=fixed is None,
            options=Options(
                dry_run=options["check"],
                differences=options["diff"],
                verify=options["verify"],
                progress=progress,
            ),
            jobs=options["jobs"],
            retired=options["retire"],
            max_deleted_percent=100 if options["allow_deletions"] else options["deletions"],
        )
    finally:
        if is_watched:
            print(file=sys.stderr)  # noqa: T201


def show_progress(documents: int) -> None:
    """Show a live count of documents, which a pipe does not get."""
    print(f"\r{documents} documents", end="", file=sys.stderr, flush=True)  # noqa: T201


def parse_moment(value: str) -> datetime:
    """Parse a day or a moment of ISO 8601; the default time zone is the studio's."""
    try:
        moment = datetime.fromisoformat(value)
        aware = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
        return timezone.localtime(aware.astimezone(UTC))
    except (ValueError, OverflowError):
        raise ArgumentTypeError(
            f"{value!r} is not a moment: use one such as 2027-01-31, 2027-01-31T09:00 "
            "or 2027-01-31T02:00:00Z"
        ) from None


def parse_address(value: str) -> str:
    """Parse an address, with or without the site root."""
    address = value.removeprefix(settings.SITE_ROOT) or "/"
    if not address.startswith("/"):
        raise ArgumentTypeError(
            f"{value!r} is not an address of {settings.SITE_ROOT}: use one such as /blog/x"
        )
    return address


def parse_percentage(value: str) -> int:
    if not value.isdecimal() or int(value) > 100:  # noqa: PLR2004
        raise ArgumentTypeError(f"{value!r} is not a percentage: use 0 to 100")
    return int(value)


def reproducible_moment() -> datetime | None:
    value = os.environ.get("SOURCE_DATE_EPOCH")
    if value is None:
        return None
    try:
        # `int` also accepts signs, blanks and underscores.
        moment = datetime.fromtimestamp(int(value if value.isdecimal() else ""), UTC)
    except (ValueError, OverflowError, OSError):
        moment = datetime.max.replace(tzinfo=UTC)
    if moment > timezone.now():
        raise CommandError(
            f"SOURCE_DATE_EPOCH={value[:40]!r}: use whole seconds since 1970 until now, "
            "such as 1767225600.",
            returncode=2,
        )
    return moment


def freeze_members(report: Report, options: Mapping[str, Any]) -> dict[str, Any]:
    as_of = {"asOf": iso_moment(options["as_of"])} if options["as_of"] else {}
    differences = [asdict(difference) for difference in report.differences]
    return report.members() | as_of | ({"differences": differences} if options["diff"] else {})


def freeze_text(report: Report, target: Path) -> str:
    due = f" The next scheduled content falls due at {report.nextDue}." if report.nextDue else ""
    gates = () if report.outcome is Outcome.UNCHANGED else report.gates
    outcome = outcome_text(report, target) + due
    return "\n".join(map(str, [*report.differences, outcome, *gates]))


def outcome_text(report: Report, target: Path) -> str:
    documents = f"{report.documents} documents"
    if report.outcome is Outcome.UNCHANGED:
        return f"Nothing changed: {documents}, release {report.release} stays."
    files = f"{report.written} files written, {report.kept} kept"
    counts = f"{files}, {report.removed} documents removed"
    if report.outcome is Outcome.CHECKED:
        stays = f", and release {report.release} stays" if report.release else ""
        return f"Nothing was published{stays}. A freeze would publish {documents}: {counts}."
    seconds = sum(report.seconds.values())
    return (
        f"Published {documents} as {target}/current (release {report.release}): "
        f"{counts}, {seconds:.2f} s."
    )


def damage_sentences(report: Report) -> Iterator[str]:
    """Yield sentences about damaged and foreign files of the published release."""
    is_published = report.outcome is Outcome.PUBLISHED
    written = "it was written again" if is_published else "a freeze writes it again"
    omitted = "the new release does not have it" if is_published else "a freeze leaves it out"
    for name in report.healed:
        yield f"{name} in release {report.previous} was not as it was published: {written}."
    for name in report.strange:
        yield f"{name} in release {report.previous} does not belong to it: {omitted}."
