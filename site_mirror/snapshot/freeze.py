"""The freeze: build a release of a site, and publish all of it or nothing.

A freeze in eight terms: the *site* has *batches* of documents; a batch may have a digest of
everything that it is made of. A batch that the *build cache* has under the same digest is
hard-linked from the published release; *workers* render, write and check the others in a *staging*
folder. The *manifest* lists the document of each address. The *gates* judge the staged release, and
the staging folder becomes the new *release* by one rename.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from api.headers import http_date
from catalogue.moments import iso_moment
from site_mirror.snapshot import published, releases
from site_mirror.snapshot.batch import Batch
from site_mirror.snapshot.build import DocumentCheck
from site_mirror.snapshot.carried import carry_assets
from site_mirror.snapshot.changes import find_differences, write_removed
from site_mirror.snapshot.entries import Redirect
from site_mirror.snapshot.errors import GatesFailed
from site_mirror.snapshot.file_trees import files_below
from site_mirror.snapshot.files import PRIVATE_FILE_MODE, replace_folder, write_file
from site_mirror.snapshot.layout import CACHE, CONTENT, MANIFEST, PUBLIC, REMOVED, REPORT
from site_mirror.snapshot.manifest import Manifest, read_whole_manifest
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL, Builder, Pool
from site_mirror.snapshot.release_writer import ErrorResponse, ReleaseWriter, writing_release
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.state import write_state
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Candidate, Workspace
from site_mirror.snapshot.write import Moment


class SiteContent(Struct, frozen=True):
    """Everything that is published at a moment, read in one transaction.

    `generated_at` is shown in new documents; `is_dated` says that it is the time of the freeze.
    `lists` are made of the documents of `batches`, in the main process. `next_due` is when
    scheduled content will be published. `inputs` are stored with the release; a later freeze with
    equal inputs has nothing to do. `content` is stored for people, who compare releases.
    """

    root: str
    generated_at: datetime
    batches: Iterable[Batch]
    lists: Sequence[Batch] = ()
    redirects: Sequence[Redirect] = ()
    errors: Sequence[ErrorResponse] = ()
    next_due: datetime | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    content: bytes = b""
    is_dated: bool = True


class ReleaseGates(Protocol):
    """The conditions that a release must fulfil."""

    @property
    def check(self) -> DocumentCheck:
        """Examines one document, in the process that renders it."""

    def collect(self, result: BatchResult) -> None:
        """Add the evidence of a batch."""

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        """Judge the release as a whole."""


class Options(Struct, frozen=True):
    """The options of a freeze.

    With `dry_run` or `differences` nothing is published, and with the latter the report lists what
    would change. With `verify` every published file is read before it is reused. `progress` is
    called after each batch with the number of documents so far.
    """

    dry_run: bool = False
    differences: bool = False
    verify: bool = False
    progress: Callable[[int], None] | None = None

    @property
    def publishes(self) -> bool:
        return not (self.dry_run or self.differences)


DEFAULT_OPTIONS = Options()
STEPS = ("render", "gates", "publish")
"""The steps of a freeze, whose time is in its report."""


def freeze(
    target: Target,
    site: SiteContent,
    pool: Pool,
    gates: ReleaseGates,
    options: Options = DEFAULT_OPTIONS,
) -> Report:
    """Publish a release of a site, unless it would change nothing. Raises `FreezeError`.

    The caller locks the target before the pool forks its workers, so that these inherit the lock
    and it is held as long as one of them lives.
    """
    clock = [perf_counter()]
    now = max(site.generated_at, datetime.now(UTC))
    must_render = options.verify or releases.is_published_after(target, now)
    with target.staging(iso_moment(now), verify=must_render) as (workspace, disk_descriptor):
        with writing_release(workspace, site.root) as release:
            builder = Builder(workspace, pool, moment_of_changes(target, site), gates.check)
            for result in build_site(builder, site, release):
                release.add(result)
                gates.collect(result)
                if options.progress:
                    options.progress(release.contents.documents.count)
            release.add(carry_assets(workspace, releases.served_since(target)))
            release.add_redirects(site.redirects)
            release.add_errors(site.errors)
        write_file(f"{workspace.staging}/{CONTENT}", site.content, PRIVATE_FILE_MODE)
        candidate = candidate_of(target, workspace)
        clock.append(perf_counter())
        names = judge_file_names(workspace.staging, candidate.manifest)
        verdicts = (names, *gates.conclude(candidate))
        if not all(verdict.passed for verdict in verdicts):
            raise GatesFailed(verdicts)
        clock.append(perf_counter())
        report = report_of(candidate, release, verdicts, site, options)
        # From here on the release can be served: everything that may refuse it comes before.
        if report.outcome is Outcome.PUBLISHED:
            report = publish_release(target, release, report, site, disk_descriptor)
        elif options.publishes:
            renew_inputs(workspace, report, site)
        clock.append(perf_counter())
    seconds = (round(end - start, 3) for start, end in pairwise(clock))
    return replace(report, seconds=dict(zip(STEPS, seconds, strict=True)))


def build_site(
    builder: Builder, site: SiteContent, release: ReleaseWriter
) -> Iterator[BatchResult]:
    """Yield the result of each batch; the caller adds it to the release before the next one."""
    yield from builder.results(site.batches, release.built)
    # A list of 100,000 posts and idle workers would take a gigabyte.
    builder.pool.close()
    yield from replace(builder, pool=MAIN_PROCESS_POOL).results(site.lists, release.built)


def moment_of_changes(target: Target, site: SiteContent) -> Moment:
    """Return the moment of new and changed documents.

    It is no `Last-Modified` if a document may have been published with it before: after a
    freeze in the same second, or with the same SOURCE_DATE_EPOCH.
    """
    moment = site.generated_at
    used = (releases.release_moment(each.name) for each in releases.release_folders(target))
    is_new = site.is_dated and moment.replace(microsecond=0) not in used
    return Moment(iso_moment(moment), http_date(moment) if is_new else "")


def candidate_of(target: Target, workspace: Workspace) -> Candidate:
    manifest = read_whole_manifest(workspace.staging / MANIFEST)
    previous = target.manifest() if workspace.published else None
    removed = write_removed(workspace.staging / REMOVED, previous, manifest)
    return Candidate(workspace, manifest, previous, removed)


def judge_file_names(staging: Path, manifest: Manifest) -> Verdict:
    """Judge whether each document has a file of its own."""
    clashes, owners = list[str](), dict[str, str]()
    # With two documents on one file there are too few files. To count them takes no memory, unlike
    # a set of a million names.
    if sum(1 for _ in files_below(staging, PUBLIC)) != manifest.files:
        for entry in manifest.documents:
            other = owners.setdefault(entry.file, entry.address)
            if other != entry.address:
                clashes.append(
                    f"{other} and {entry.address} would both be written to {entry.file}."
                )
    return Verdict("files", "files", manifest.files, tuple(clashes))


def report_of(
    candidate: Candidate,
    release: ReleaseWriter,
    verdicts: tuple[Verdict, ...],
    site: SiteContent,
    options: Options,
) -> Report:
    """Compare the staged release with the published one.

    A release that is to be published has no name yet.
    """
    manifest, previous = candidate.manifest, candidate.previous
    staging, current = candidate.workspace.staging, candidate.workspace.published
    healed = [f"{PUBLIC}/{file}" for file in release.healed]
    differing, strange = list[str](), list[str]()
    if current:
        if not release.written:
            differing = [*published.differing_files(staging, current, manifest)]
        healed += published.damaged_private_files(current, previous, differing)
        # A new release has only the files of its manifest, so strange ones are left out anyway.
        if options.verify or not (release.written or differing or healed):
            strange = [*published.strange_files(current, manifest)]
    differs = release.written or differing or healed or strange or current is None
    outcome = Outcome.PUBLISHED if options.publishes else Outcome.CHECKED
    name = current.name if current else ""
    return Report(
        outcome=outcome if differs else Outcome.UNCHANGED,
        release=name,
        previous=name,
        documents=len(manifest.documents),
        written=release.written,
        kept=manifest.files - release.written,
        removed=candidate.removed,
        redirects=len(manifest.redirects),
        nextDue=iso_moment(site.next_due) if site.next_due else None,
        gates=verdicts,
        healed=tuple(healed),
        strange=tuple(strange),
        seconds={},
        differences=tuple(find_differences(previous, manifest)) if options.differences else (),
    )


def publish_release(
    target: Target,
    release: ReleaseWriter,
    report: Report,
    site: SiteContent,
    disk_descriptor: int,
) -> Report:
    """Make the staged release the current one; return the report with its name."""
    staging = release.workspace.staging
    name = releases.next_release_id(target, site.generated_at, release.sha256)
    report = replace(report, release=name)
    layout = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    write_file(
        f"{staging}/{REPORT}",
        orjson.dumps(report.lasting_members(), option=layout),
        PRIVATE_FILE_MODE,
    )
    write_state(staging, site.inputs, report)
    target.publish(staging, name, disk_descriptor)
    return report


def renew_inputs(workspace: Workspace, report: Report, site: SiteContent) -> None:
    """Record that these inputs also give the published release, if the disk is not full.

    A cache that was damaged is replaced, because its files count as whole from now on.
    """
    current = workspace.published
    if current is None or report.outcome is not Outcome.UNCHANGED:
        return
    with suppress(OSError):
        if workspace.is_cached:
            (workspace.staging / CONTENT).replace(current / CONTENT)
        else:
            replace_folder(workspace.staging / CACHE, current / CACHE)
        write_state(current, site.inputs, report)
