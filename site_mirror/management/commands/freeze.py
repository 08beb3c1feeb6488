"""The door to the freeze: arguments in, a report and an exit code out."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from catalogue.moments import iso_moment
from site_mirror import repeating
from site_mirror.checks import ENVIRONMENT
from site_mirror.cores import by_cores
from site_mirror.gates.share import SHARE
from site_mirror.management.absent import UNNEEDED, absent
from site_mirror.management.answers import (
    NOTHING_CHANGED,
    as_json,
    at_least_one,
    failures_told,
    folder,
)
from site_mirror.snapshot import releases
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.target import Target

if TYPE_CHECKING:
    from site_mirror.snapshot.candidate import Candidate

Instead = Callable[["Candidate"], None]

SHOWN = 40
"""Characters of a wrong SOURCE_DATE_EPOCH that a message has."""


class Command(BaseCommand):
    requires_system_checks = (ENVIRONMENT,)
    help = (
        "Export everything that is published as a static snapshot: TARGET/current/public. "
        "Exit codes: 0 published, 3 nothing changed, 1 failed (what was published stays), 2 usage. "
        "With --check or --diff nothing is published, and 0 means that something would be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=folder, help="folder that holds the releases")
        parser.add_argument("--json", action="store_true", help="report as JSON on standard output")
        parser.add_argument(
            "--as-of", type=moment, metavar="TIME", help="freeze the site as it will be then"
        )
        parser.add_argument(
            "--jobs", type=at_least_one, metavar="N", help="processes that render; by the cores"
        )
        parser.add_argument(
            "--keep", type=at_least_one, metavar="N", help="keep N releases, the current among them"
        )
        parser.add_argument(
            "--retire",
            action="append",
            default=[],
            type=published_address,
            metavar="ADDRESS",
            help="let an address and its mirror go, such as /blog/x; may be repeated",
        )
        parser.add_argument(
            "--deletions",
            type=percentage,
            default=SHARE,
            metavar="N",
            help=f"let at most N %% of the documents go at once ({SHARE})",
        )
        parser.add_argument(
            "--allow-deletions", action="store_true", help="let any number of documents go"
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="read every published file that is reused, and write damaged files again",
        )
        either = parser.add_mutually_exclusive_group()
        either.add_argument("--check", action="store_true", help="do everything but publish")
        either.add_argument("--diff", action="store_true", help="tell what would change, in words")

    def handle(self, *, target: Path, json: bool, **options: Any) -> None:
        options["moment"] = reproducible_moment(os.environ)
        at, found = options["as_of"] or timezone.now(), list[dict[str, str]]()
        with failures_told(self, json=json):
            instead = self.instead(found, json=json, **options)
            reads = instead or options["verify"]
            report = None if reads else repeated(target, at, options["keep"])
            if doubt := "" if report else repeating.doubt():
                self.stderr.write(doubt)
            report = report or frozen(target, at, instead, options)
        for sentence in wrong(report):
            self.stderr.write(sentence)
        if json:
            told = in_members(report, options, found) | ({"doubt": doubt} if doubt else {})
            self.stdout.write(as_json(told))
        else:
            self.stdout.write(in_words(report, target))
        if report.outcome is Outcome.UNCHANGED:
            sys.exit(NOTHING_CHANGED)

    def instead(
        self, found: list[dict[str, str]], *, json: bool, check: bool, diff: bool, **options: Any
    ) -> Instead | None:
        """What is done with a release instead of publishing it."""

        def tell(candidate: "Candidate") -> None:
            from site_mirror.snapshot.differences import differences  # noqa: PLC0415

            for difference in differences(candidate):
                if json:
                    found.append(difference.members())
                else:
                    self.stdout.write(str(difference))

        if diff:
            return tell
        return (lambda candidate: None) if check else None


def repeated(target: Path, at: datetime, keep: int | None) -> Report | None:
    """The report of a freeze that has nothing to do, not even to remove a release."""
    into = Target(target)
    into.tidy()
    superfluous = keep is not None and releases.superfluous(into, keep)
    return None if superfluous else repeating.repeated(into, at)


def frozen(
    target: Path, at: datetime, instead: Instead | None, options: Mapping[str, Any]
) -> Report:
    """What a freeze does; its modules are many, and one that repeats needs none of them."""
    from site_mirror.snapshot.beginning import begun  # noqa: PLC0415

    into, moment = Target(target), options["moment"] or timezone.now()
    with ExitStack() as stack:
        ahead = not options["verify"] and pays(into, options["jobs"])
        beginning = stack.enter_context(begun(into, ahead=ahead, verify=options["verify"]))
        with absent(*UNNEEDED):
            from site_mirror.freezing import freeze_site  # noqa: PLC0415
        from site_mirror.management.progress import progress_shown  # noqa: PLC0415

        progress = stack.enter_context(progress_shown())
        return freeze_site(
            target,
            at=at,
            moment=moment,
            progress=progress,
            keep=options["keep"],
            jobs=options["jobs"],
            retired=options["retire"],
            share=None if options["allow_deletions"] else options["deletions"],
            instead=instead,
            beginning=beginning,
        )


def pays(target: Target, jobs: int | None) -> bool:
    """Whether another process has enough to link while this one begins."""
    return (jobs or by_cores()) > 1 and repeating.nearly(target)


def moment(value: str) -> datetime:
    """A day or a moment of ISO 8601, in the studio's time zone unless it names another."""
    try:
        day, found = parse_date(value), parse_datetime(value)
    except ValueError:
        day, found = None, None
    if day:
        found = datetime(day.year, day.month, day.day)  # noqa: DTZ001
    if found is None:
        raise ArgumentTypeError(
            f"{value!r} is no moment: use one such as 2027-01-31, 2027-01-31T09:00 "
            "or 2027-01-31T02:00:00Z"
        )
    aware = found if timezone.is_aware(found) else timezone.make_aware(found)
    if not everywhere(aware):
        raise ArgumentTypeError(
            f"{value!r} is no moment of the years 1 to 9999 in UTC and in {settings.TIME_ZONE}: "
            "use one between 0001-01-02 and 9999-12-30"
        )
    return aware


def everywhere(moment: datetime) -> bool:
    """Whether a moment has a date in UTC and in the studio's time zone."""
    try:
        return all(moment.astimezone(zone) for zone in (UTC, timezone.get_default_timezone()))
    except OverflowError:
        return False


def published_address(value: str) -> str:
    """An address as the site has it, or as a reader sees it."""
    address = value.removeprefix(settings.SITE_ROOT) or "/"
    if not address.startswith("/"):
        raise ArgumentTypeError(
            f"{value!r} is no address of {settings.SITE_ROOT}: use one such as /blog/x"
        )
    return address


def percentage(value: str) -> int:
    if not value.isdecimal() or int(value) > 100:  # noqa: PLR2004
        raise ArgumentTypeError(f"{value!r} is no percentage: use 0 to 100")
    return int(value)


def reproducible_moment(environment: Mapping[str, str]) -> datetime | None:
    """The moment that SOURCE_DATE_EPOCH fixes: seconds since 1970, UTC."""
    given = environment.get("SOURCE_DATE_EPOCH")
    if given is None:
        return None
    try:
        return datetime.fromtimestamp(natural(given), UTC)
    except (ValueError, OverflowError, OSError):
        found = f"{given[:SHOWN]}{'…' * (len(given) > SHOWN)}"
        message = f"SOURCE_DATE_EPOCH={found!r}: use whole seconds since 1970, such as 1767225600."
        raise CommandError(message, returncode=2) from None


def natural(text: str) -> int:
    """Digits and nothing else: `int` reads signs, blanks and underscores, too."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)


def in_members(
    report: Report, options: Mapping[str, Any], found: list[dict[str, str]]
) -> dict[str, Any]:
    as_of = {"asOf": iso_moment(options["as_of"])} if options["as_of"] else {}
    return report.members() | as_of | ({"differences": found} if options["diff"] else {})


def in_words(report: Report, target: Path) -> str:
    due = f" The next scheduled content falls due at {report.nextDue}." if report.nextDue else ""
    gone = f" Releases removed: {', '.join(report.pruned)}." if report.pruned else ""
    gates = "" if report.outcome is Outcome.UNCHANGED else gated(report)
    return OUTCOMES[report.outcome](report, target) + gone + due + gates


def wrong(report: Report) -> Iterator[str]:
    """Sentences about damaged and foreign files of the release that was served."""
    done = report.outcome is Outcome.PUBLISHED
    anew = "it was made anew" if done else "a freeze makes it anew"
    left = "the new release does not have it" if done else "a freeze leaves it out"
    for name in report.healed:
        yield f"{name} in release {report.previous} was not as it was published: {anew}."
    for name in report.strange:
        yield f"{name} in release {report.previous} does not belong to it: {left}."


def gated(report: Report) -> str:
    return "".join(f"\n{verdict}" for verdict in report.gates)


def published(report: Report, target: Path) -> str:
    return (
        f"Published {report.documents} documents as {target}/current "
        f"(release {report.release}): {counted(report)}, {sum(report.seconds.values()):.2f} s."
    )


def unchanged(report: Report, target: Path) -> str:
    return f"Nothing changed: {report.documents} documents, release {report.release} stays."


def checked(report: Report, target: Path) -> str:
    stays = f", and release {report.release} stays" if report.release else ""
    return (
        f"Nothing was published{stays}. A freeze would publish {report.documents} documents: "
        f"{counted(report)}."
    )


def counted(report: Report) -> str:
    return f"{report.written} files written, {report.kept} kept, {report.removed} documents removed"


OUTCOMES: Mapping[Outcome, Callable[[Report, Path], str]] = {
    Outcome.PUBLISHED: published,
    Outcome.UNCHANGED: unchanged,
    Outcome.CHECKED: checked,
}
