"""Freeze: read once, stage everything, publish all of it or nothing."""

import time
from collections.abc import Callable, Collection
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path

import orjson

from catalogue.moments import iso_moment
from site_mirror.gates.evidence import FILES
from site_mirror.gates.verdicts import Verdict, of_all
from site_mirror.snapshot import releases, state
from site_mirror.snapshot.batches import Check
from site_mirror.snapshot.beginning import Beginning, begun
from site_mirror.snapshot.candidate import (
    Candidate,
    Gates,
    NoGates,
    Progress,
    Published,
    Read,
    Sign,
    staged,
)
from site_mirror.snapshot.crews import ALONE, Crew
from site_mirror.snapshot.errors import GatesFailed
from site_mirror.snapshot.files import PRIVATE_FILE, write
from site_mirror.snapshot.layout import REPORT
from site_mirror.snapshot.releases import release_id
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.target import Target

__all__ = ["Candidate", "Outcome", "Published", "Report", "freeze"]


Remember = Callable[[Path, Report, Collection[str]], None]
"""Is told a release, its report, and the folders of its public tree that have files."""


def forget(release: Path, report: Report, folders: Collection[str]) -> None:
    """Every freeze reads everything."""


def freeze(
    target: Target,
    read: Read,
    *,
    moment: datetime,
    check: Check,
    progress: Progress,
    gates: Gates | None = None,
    sign: Sign | None = None,
    keep: int | None = None,
    instead: Callable[[Candidate], None] | None = None,
    crew: Crew = ALONE,
    remember: Remember = forget,
    beginning: Beginning | None = None,
) -> Report:
    """Publish a release of what `read` gives, or leave what is published as it is.

    `check` examines each document, and `gates` judge the release by what it told. With
    `instead`, a release that would be published is handed over to it and then dropped. With
    `keep`, only so many releases stay. `remember` may write into the release what it is made of.
    Whoever has a `beginning` ends it. Raises `FreezeError`.
    """
    with nullcontext(beginning) if beginning else begun(target) as begins:
        started = time.perf_counter()
        gates = gates or NoGates()
        candidate = staged(
            begins,
            target.manifest() if begins.place.published else None,
            read,
            moment=moment,
            check=check,
            progress=progress,
            sign=sign,
            gates=gates,
            crew=crew,
        )
        rendered = time.perf_counter()
        verdicts = passed(files(candidate), *gates.conclude(candidate))
        gated = time.perf_counter()
        outcome, release = conclude(
            target, candidate, verdicts, moment, instead, remember, begins.disk
        )
        pruned = () if instead or keep is None else tuple(prune(target, keep))
        if outcome is Outcome.PUBLISHED:
            with suppress(OSError):
                state.trust(target.root, target.releases / release)
        published = time.perf_counter()
        seconds = {
            "render": round(rendered - started, 3),
            "gates": round(gated - rendered, 3),
            "publish": round(published - gated, 3),
        }
        return report(candidate, outcome, release, verdicts, pruned, seconds)


def files(candidate: Candidate) -> Verdict:
    """No two documents are written to one file."""
    clashes = [candidate.clash] if candidate.clash else []
    return of_all(clashes).verdict(FILES, "files", candidate.manifest.files)


def passed(*verdicts: Verdict) -> tuple[Verdict, ...]:
    """Raises `GatesFailed` unless all of them are."""
    if not all(verdict.passed for verdict in verdicts):
        raise GatesFailed(verdicts)
    return verdicts


def conclude(
    target: Target,
    candidate: Candidate,
    verdicts: tuple[Verdict, ...],
    moment: datetime,
    instead: Callable[[Candidate], None] | None,
    remember: Remember,
    disk: int,
) -> tuple[Outcome, str]:
    """What comes of a candidate, and the release that is served then."""
    if not candidate.changes:
        if instead is None:
            stays(candidate, verdicts, remember)
        return Outcome.UNCHANGED, name_of(candidate)
    if instead:
        instead(candidate)
        return Outcome.CHECKED, name_of(candidate)
    release = target.unused(release_id(moment, candidate.sha256))
    publish(target, candidate, verdicts, release, remember, disk)
    return Outcome.PUBLISHED, release


def stays(candidate: Candidate, verdicts: tuple[Verdict, ...], remember: Remember) -> None:
    """What is published is made of what was read now, if there is room to say so."""
    told = report(candidate, Outcome.UNCHANGED, name_of(candidate), verdicts, (), {})
    with suppress(OSError):
        remember(candidate.place.published or Path(), told, candidate.folders)


def publish(
    target: Target,
    candidate: Candidate,
    verdicts: tuple[Verdict, ...],
    release: str,
    remember: Remember,
    disk: int,
) -> None:
    folder = candidate.place.folder
    found = report(candidate, Outcome.PUBLISHED, release, verdicts, (), {})
    told = found.members()
    lasting = {name: told[name] for name in told.keys() - {"outcome", "pruned", "seconds"}}
    layout = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    write(f"{folder}/{REPORT}", orjson.dumps(lasting, option=layout), PRIVATE_FILE)
    remember(folder, found, candidate.folders)
    target.publish(folder, release, disk)


def name_of(candidate: Candidate) -> str:
    """The release that a candidate would follow."""
    return candidate.place.published.name if candidate.place.published else ""


def prune(target: Target, keep: int) -> list[str]:
    """Remove releases until so many are left, never the current one; returns their names.

    One that cannot be removed stays, and is tried again the next time: what was published is.
    """
    removed = []
    for release in releases.superfluous(target, keep):
        with suppress(OSError):
            target.remove(release)
            removed.append(release.name)
    return removed


def report(
    candidate: Candidate,
    outcome: Outcome,
    release: str,
    verdicts: tuple[Verdict, ...],
    pruned: tuple[str, ...],
    seconds: dict[str, float],
) -> Report:
    manifest = candidate.manifest
    return Report(
        outcome=outcome,
        release=release,
        previous=name_of(candidate),
        documents=len(manifest.documents),
        written=candidate.written,
        kept=manifest.files - candidate.written,
        removed=candidate.removed,
        redirects=len(manifest.redirects),
        nextDue=iso_moment(candidate.due) if candidate.due else None,
        gates=verdicts,
        healed=tuple(candidate.healed),
        strange=tuple(candidate.strange),
        pruned=pruned,
        seconds=seconds,
    )
