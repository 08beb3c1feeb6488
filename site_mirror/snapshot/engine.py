"""Freeze: read once, stage everything, publish all of it or nothing."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from catalogue.moments import iso_moment
from site_mirror.snapshot import checksums, releases
from site_mirror.snapshot.batches import ALONE, Check, Crew
from site_mirror.snapshot.candidate import Candidate, Progress, Published, Read, Sign, staged
from site_mirror.snapshot.layout import PUBLIC, REPORT
from site_mirror.snapshot.releases import release_id
from site_mirror.snapshot.staging import Place, link_the_rest
from site_mirror.snapshot.target import Target

__all__ = ["Candidate", "Outcome", "Published", "Report", "freeze"]


class Outcome(StrEnum):
    """`CHECKED`: a release would have been published."""

    PUBLISHED = "published"
    UNCHANGED = "unchanged"
    CHECKED = "checked"


@dataclass(frozen=True, slots=True)
class Report:
    """What a freeze did; `seconds` by step, `pruned` the releases that made room.

    `release` is the one that is served, `previous` the one before it.
    """

    outcome: Outcome
    release: str
    previous: str
    documents: int
    written: int
    kept: int
    removed: int
    redirects: int
    nextDue: str | None
    pruned: tuple[str, ...]
    seconds: dict[str, float]

    def members(self) -> dict[str, Any]:
        return {part.name: getattr(self, part.name) for part in fields(self)}


def freeze(
    target: Target,
    read: Read,
    *,
    moment: datetime,
    check: Check,
    progress: Progress,
    sign: Sign | None = None,
    keep: int | None = None,
    instead: Callable[[Candidate], None] | None = None,
    crew: Crew = ALONE,
) -> Report:
    """Publish a release of what `read` gives, or leave what is published as it is.

    `check` raises for a document that must not be published. With `instead`, a release that
    would be published is handed over to it and then dropped. With `keep`, only so many releases
    stay. Raises `FreezeError`.
    """
    with target.locked(), target.staging() as folder:
        started = time.perf_counter()
        place = Place(folder, target.release, target.since)
        candidate = staged(
            place,
            target.manifest(),
            read,
            moment=moment,
            check=check,
            progress=progress,
            sign=sign,
            crew=crew,
        )
        rendered = time.perf_counter()
        outcome, release = conclude(target, candidate, moment, instead)
        pruned = () if instead or keep is None else tuple(prune(target, keep))
        published = time.perf_counter()
        seconds = {
            "render": round(rendered - started, 3),
            "publish": round(published - rendered, 3),
        }
        return report(candidate, outcome, release, pruned, seconds)


def conclude(
    target: Target,
    candidate: Candidate,
    moment: datetime,
    instead: Callable[[Candidate], None] | None,
) -> tuple[Outcome, str]:
    """What comes of a candidate, and the release that is served then."""
    if not candidate.changes:
        return Outcome.UNCHANGED, name_of(candidate)
    if instead:
        instead(candidate)
        return Outcome.CHECKED, name_of(candidate)
    release = target.unused(release_id(moment, candidate.sha256))
    publish(target, candidate, release)
    return Outcome.PUBLISHED, release


def publish(target: Target, candidate: Candidate, release: str) -> None:
    folder = candidate.place.folder
    public = (file for file in checksums.files(folder) if file.startswith(f"{PUBLIC}/"))
    link_the_rest(candidate.place, public)
    told = report(candidate, Outcome.PUBLISHED, release, (), {}).members()
    lasting = {name: told[name] for name in told.keys() - {"outcome", "pruned", "seconds"}}
    layout = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    (folder / REPORT).write_bytes(orjson.dumps(lasting, option=layout))
    target.publish(folder, release)


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
        pruned=pruned,
        seconds=seconds,
    )
