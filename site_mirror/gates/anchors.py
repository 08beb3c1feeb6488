"""Anchors that links of other documents lead to, as `address#name`.

They are checked by reading the page. A release stores them (`cache/anchors.txt`), because the
links of reused documents are not read again.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from site_mirror.gates import staged
from site_mirror.gates.examining import anchors_in
from site_mirror.gates.release_evidence import ReleaseEvidence
from site_mirror.snapshot import files
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.layout import ANCHORS


def find_missing_anchors(
    evidence: ReleaseEvidence, candidate: Candidate, redirects: Mapping[str, str]
) -> set[bytes]:
    """Return anchors that the published page does not have; `redirects` map old addresses."""
    reused = {
        anchor
        for anchor in read_reused_anchors(evidence, candidate)
        if staged.is_page_changed(candidate, page_of_anchor(anchor))
    }
    linked = sorted(evidence.fragments | reused)
    existing: set[bytes] = set()
    for address, anchors in groupby(linked, key=page_of_anchor):
        page = staged.read_page(candidate, redirects.get(address, address)) or b""
        names = anchors_in(page)
        existing |= {anchor for anchor in anchors if anchor.partition(b"#")[2] in names}
    return {anchor for anchor in linked if evidence.is_published(page_of_anchor(anchor))} - existing


def write_anchors(evidence: ReleaseEvidence, candidate: Candidate) -> None:
    anchors = evidence.fragments | read_reused_anchors(evidence, candidate)
    path = candidate.workspace.staging / ANCHORS
    lines = b"".join(anchor + b"\n" for anchor in sorted(anchors))
    files.write_file(str(path), lines, files.PRIVATE_FILE_MODE)


def read_reused_anchors(evidence: ReleaseEvidence, candidate: Candidate) -> set[bytes]:
    """Return anchors that reused documents may link to; some links may no longer exist."""
    if not evidence.reused or candidate.workspace.published is None:
        return set()
    return {*read_anchors(candidate.workspace.published / ANCHORS)}


def read_anchors(path: Path) -> Iterator[bytes]:
    with suppress(FileNotFoundError):
        yield from files.read_file(path.parent, path.name).splitlines()


def page_of_anchor(anchor: bytes) -> str:
    return anchor.partition(b"#")[0].decode()
