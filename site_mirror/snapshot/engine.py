"""Freeze: read once, stage everything, publish all of it or nothing."""

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.snapshot.manifest import Manifest, Redirect, by_address
from site_mirror.snapshot.staging import Refusal, Staging, stage_refusal, write
from site_mirror.snapshot.target import MANIFEST, Target


class Outcome(StrEnum):
    PUBLISHED = "published"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that is to be published, read in one transaction."""

    site_root: str
    documents: Iterable[Document]
    redirects: Iterable[Redirect]
    refusals: Iterable[Refusal]


@dataclass(frozen=True, slots=True)
class Report:
    """What a freeze did; `seconds` by step."""

    outcome: Outcome
    release: str
    documents: int
    written: int
    kept: int
    removed: int
    redirects: int
    seconds: dict[str, float]

    def members(self) -> dict[str, Any]:
        return asdict(self)


def freeze(
    target: Target,
    read: Callable[[], AbstractContextManager[Published]],
    *,
    moment: datetime,
    check: Callable[[Document, str], None],
    progress: Callable[[Document], None],
) -> Report:
    """Publish a release of what `read` gives, or leave what is published as it is.

    `check` raises for a document that must not be published. Raises `FreezeError`.
    """
    with target.locked(), target.staging() as folder:
        started = time.perf_counter()
        before = target.manifest()
        staging = Staging(
            folder=folder,
            published=target.release,
            moment=moment,
            held=by_address(before.documents) if before else {},
        )
        manifest = stage(staging, read, check, progress)
        staged = time.perf_counter()
        release = publish(target, staging, manifest, before)
        return report(staging, manifest, release, before, [started, staged, time.perf_counter()])


def stage(
    staging: Staging,
    read: Callable[[], AbstractContextManager[Published]],
    check: Callable[[Document, str], None],
    progress: Callable[[Document], None],
) -> Manifest:
    with read() as published:
        for document in published.documents:
            check(document, staging.stamp)
            staging.add(document)
            progress(document)
        redirects = tuple(published.redirects)
        errors = tuple(stage_refusal(staging.folder, refusal) for refusal in published.refusals)
    return Manifest(published.site_root, tuple(staging.entries), redirects, errors)


def publish(
    target: Target, staging: Staging, manifest: Manifest, before: Manifest | None
) -> str | None:
    """The id of the new release; none where nothing changed."""
    if manifest == before and not staging.written:
        return None
    staging.link_the_rest()
    encoded = manifest.to_json()
    write(staging.folder / MANIFEST, encoded)
    return target.publish(staging.folder, release_id(staging.moment, encoded))


def release_id(moment: datetime, manifest: bytes) -> str:
    """When and what: `20261121T023000Z-1f2e3d4c`. The same input gives the same id."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}-{digest(manifest)[:8]}"


def report(
    staging: Staging,
    manifest: Manifest,
    release: str | None,
    before: Manifest | None,
    times: list[float],
) -> Report:
    files = {file for entry in staging.entries for file in entry.files}
    addresses = {entry.address for entry in staging.entries}
    earlier = {entry.address for entry in before.documents} if before else set()
    current = staging.published.name if staging.published else ""
    return Report(
        outcome=Outcome.PUBLISHED if release else Outcome.UNCHANGED,
        release=release or current,
        documents=len(staging.entries),
        written=len(staging.written),
        kept=len(files) - len(staging.written),
        removed=len(earlier - addresses),
        redirects=len(manifest.redirects),
        seconds={
            "render": round(times[1] - times[0], 3),
            "publish": round(times[2] - times[1], 3),
        },
    )
