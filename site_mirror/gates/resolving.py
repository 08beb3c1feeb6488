"""The gate `links`: every link leads to something that is published."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any

from msgspec import Struct

from site_mirror.gates import anchors, exact, references, staged
from site_mirror.gates.examining import Examiner
from site_mirror.gates.kinds import DocumentKind, kind_of_document
from site_mirror.gates.release_evidence import ReleaseEvidence
from site_mirror.snapshot.address_hashes import address_hash
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.evidence import LINKS_GATE
from site_mirror.snapshot.verdicts import Failures, Verdict

MAX_NEEDLES = 50
"""Names that are searched in a text one by one, because that is faster than reading its links."""


class Suspects(Struct, frozen=True, dict=True):
    """Targets that may not exist: hashes of addresses, and addresses and anchors by name."""

    hashes: frozenset[int]
    names: frozenset[bytes]

    def __bool__(self) -> bool:
        return bool(self.hashes or self.names)

    @cached_property
    def needles(self) -> tuple[bytes, ...]:
        """Texts of which a document has at least one if it links to a suspect.

        There are none if suspects are known by their hashes, or are too many.
        """
        return () if self.hashes or len(self.names) > MAX_NEEDLES else tuple(self.names)

    def may_be_in(self, body: bytes) -> bool:
        return not self.needles or any(needle in body for needle in self.needles)

    def among(self, targets: AbstractSet[bytes]) -> set[bytes]:
        return {name for name in targets if name in self.names or address_hash(name) in self.hashes}


def judge_links(
    evidence: ReleaseEvidence, candidate: Candidate, examiner: Examiner, removed: frozenset[str]
) -> Verdict:
    """Return the verdict; `removed` addresses are answered by the published release only."""
    failures, checked = evidence.failures[LINKS_GATE], evidence.checked[LINKS_GATE]
    redirects = check_redirects(evidence, candidate, examiner, failures)
    names = anchors.find_missing_anchors(evidence, candidate, redirects)
    if evidence.reused:
        names |= {address.encode() for address in removed}
    suspects = Suspects(frozenset(evidence.unresolved), frozenset(names))
    if names:
        lines = staged.read_document_lines(candidate)
    else:
        lines = staged.read_document_lines_in(candidate, evidence.unresolved_ranges())
    for words in find_broken_links(candidate, lines, examiner, suspects) if suspects else ():
        failures.add(words)
    anchors.write_anchors(evidence, candidate)
    checked += len(redirects) + check_error_bodies(evidence, candidate, examiner, failures)
    return failures.verdict(LINKS_GATE, "links", checked, held=evidence.reused)


def check_redirects(
    evidence: ReleaseEvidence, candidate: Candidate, examiner: Examiner, failures: Failures
) -> dict[str, str]:
    """Return former addresses and their targets, which must be documents."""
    redirects = {}
    for redirect in candidate.manifest.redirects:
        target = examiner.target(redirect.location, b"/")[0].decode()
        if not evidence.is_published(target):
            failures.add(
                f"{redirect.address} leads to {redirect.location}, which is not a document"
            )
        redirects[redirect.address] = target
    for address in redirects:
        evidence.add_address(address)
    return redirects


def check_error_bodies(
    evidence: ReleaseEvidence, candidate: Candidate, examiner: Examiner, failures: Failures
) -> int:
    """Check the links of the bodies of errors; return their number."""
    count = 0
    for error in candidate.manifest.errors:
        body = staged.read_error_body(candidate, error.file)
        targets = read_targets(
            examiner, kind_of_document(error.media_type, body), error.scope, body
        )
        count += len(targets)
        for target in sorted(targets):
            if target and not evidence.is_published(target.partition(b"#")[0].decode()):
                where = f"the body of a {error.status} below {error.scope}"
                failures.add(f"{where} links to {describe_target(target)}")
    return count


def find_broken_links(
    candidate: Candidate,
    lines: Iterable[Mapping[str, Any]],
    examiner: Examiner,
    suspects: Suspects,
) -> Iterator[str]:
    """Yield a sentence for each document and target that does not exist."""
    for line in lines:
        yield from find_broken_header_links(line, examiner, suspects)
        body = staged.read_document_file(candidate, line["file"]) or b""
        if suspects.may_be_in(body):
            kind = kind_of_document(line["mediaType"], body)
            yield from find_broken_body_links(line["document"], kind, body, examiner, suspects)


def find_broken_header_links(
    line: Mapping[str, Any], examiner: Examiner, suspects: Suspects
) -> Iterator[str]:
    targets = references.header_links(line["headers"].get("Link", ""), examiner.root)
    for target in sorted(suspects.among(targets)):
        yield f"the header Link of {line['document']} leads to {describe_target(target)}"


def find_broken_body_links(
    address: str, kind: DocumentKind, body: bytes, examiner: Examiner, suspects: Suspects
) -> Iterator[str]:
    links = references.find_links(kind, body, examiner.root, address.encode())
    suspected = suspects.among(links.addresses | links.fragments)
    exact_targets = read_targets(examiner, kind, address, body) if suspected else set()
    for target in sorted(suspected & exact_targets):
        yield f"{address} links to {describe_target(target)}"


def read_targets(examiner: Examiner, kind: DocumentKind, address: str, body: bytes) -> set[bytes]:
    """Return the exact targets of a document: addresses of this site, and anchors."""
    targets: set[bytes] = set()
    for link in exact.read_links(kind, body):
        target, name = examiner.target(link, address.encode())
        targets |= {target, target + b"#" + name} if name else {target}
    return targets


def describe_target(target: bytes) -> str:
    address = target.decode("utf-8", "replace")
    page, _, name = address.partition("#")
    missing = f"and {page} has no such place" if name else "where nothing is published"
    return f"{address}, {missing}"
