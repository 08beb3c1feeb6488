"""Gates that judge the release as a whole: contract, coverage and mirrors.

The API documents and pages were checked one by one; these gates check the bodies of errors, the
number of documents of each operation, and agreements between documents.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

import orjson

from api.contract import PROBLEM_JSON
from site_mirror.gates import agreements, staged
from site_mirror.gates.contract import Contract, ContractOperation
from site_mirror.gates.examining import Examiner, count_list_items
from site_mirror.gates.release_evidence import ReleaseEvidence
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.evidence import CONTRACT_GATE, COVERAGE_GATE, MIRRORS_GATE
from site_mirror.snapshot.lines import parse_document
from site_mirror.snapshot.published_lines import published_lines
from site_mirror.snapshot.verdicts import Verdict, count_failures

DOCUMENTS_PER_AGREEMENT = 2
"""Documents that make one agreement."""


def judge_contract(
    evidence: ReleaseEvidence,
    candidate: Candidate,
    known: Contract,
    before: Mapping[str, Any] | None,
) -> Verdict:
    """Judge the bodies of errors, and add the faults of documents that were checked one by one.

    If the contract differs from the published one (`before`), reused documents are read again.
    """
    failures, checked = evidence.failures[CONTRACT_GATE], evidence.checked[CONTRACT_GATE]
    if evidence.reused and not failures.count and before != known.description:
        for words in recheck_bodies(candidate, known, before):
            failures.add(words)
    for error in candidate.manifest.errors:
        if error.media_type == PROBLEM_JSON:
            checked += 1
            name = f"the body of a {error.status} below {error.scope}"
            body = orjson.loads(staged.read_error_body(candidate, error.file))
            for words in known.problem_faults(name, body, error.status):
                failures.add(words)
    return failures.verdict(
        CONTRACT_GATE, "API bodies with their headers", checked, held=evidence.reused
    )


def recheck_bodies(
    candidate: Candidate, known: Contract, before: Mapping[str, Any] | None
) -> Iterator[str]:
    """Yield the faults of all API documents of a release, if the schemas have changed."""
    if before is not None and before["components"] == known.components:
        return
    for line in staged.read_document_lines(candidate):
        if line["family"] in known.validators:
            body = orjson.loads(staged.read_document_file(candidate, line["file"]) or b"null")
            yield from known.body_faults(line["family"], line["document"], body)


def judge_coverage(evidence: ReleaseEvidence, candidate: Candidate, known: Contract) -> Verdict:
    """Judge whether every operation has its documents.

    The check of each document has shown that it belongs to an operation.
    """
    operations = known.operations
    failures = count_failures(
        words
        for name, operation in operations.items()
        for words in find_uncovered(name, operation, evidence, candidate)
    )
    return failures.verdict(COVERAGE_GATE, "operations of the API", len(operations))


def find_uncovered(
    name: str, operation: ContractOperation, evidence: ReleaseEvidence, candidate: Candidate
) -> Iterator[str]:
    """Yield a sentence if an operation does not have one document for each item of its list.

    An operation without a parameter must have exactly one document.
    """
    count, list_address = evidence.families[name], operation.list_address
    if not list_address:
        if count != 1:
            yield f"{name} has {count} documents, not one, at {operation.template}"
        return
    items = evidence.rows.get(list_address)
    if items is None and evidence.reused:
        body = staged.read_api_document(candidate, list_address)
        items = count_list_items(orjson.loads(body or b"{}"))
    if count != items:
        yield f"{name} has {count} documents, and {list_address} lists {items or 0}"


def judge_mirrors(evidence: ReleaseEvidence, candidate: Candidate, examiner: Examiner) -> Verdict:
    """Judge the agreements; if documents were reused, both sides of unmatched ones are read."""
    failures, unmatched = evidence.failures[MIRRORS_GATE], {*evidence.agreements.values()}
    if unmatched and evidence.reused:
        unmatched = find_disputed(unmatched, candidate, examiner.root)
    for words in agreements.describe_disagreements(unmatched):
        failures.add(words)
    checked = evidence.checked[MIRRORS_GATE]
    return failures.verdict(MIRRORS_GATE, "pages and mirrors", checked, held=evidence.reused)


def find_disputed(unmatched: set[bytes], candidate: Candidate, root: bytes) -> set[bytes]:
    """Return the agreements that only one of two documents makes, read from the files of both."""
    pages: set[str] = set()
    mirrors: set[str] = set()
    for kind, one, other, _ in map(agreements.parse_agreement, unmatched):
        pages |= {one} if kind == "mirror" else {one, other}
        mirrors |= {other} if kind == "mirror" else set()
    counts = Counter(
        chain.from_iterable(read_page_agreements(candidate, page, root) for page in pages)
    )
    counts.update(
        chain.from_iterable(read_mirror_agreements(candidate, mirror, root) for mirror in mirrors)
    )
    disputed = {agreement for agreement in unmatched if counts[agreement] < DOCUMENTS_PER_AGREEMENT}
    pairs = {agreements.parse_agreement(agreement)[:3] for agreement in disputed}
    return disputed | {
        agreement
        for agreement, count in counts.items()
        if count < DOCUMENTS_PER_AGREEMENT and agreements.parse_agreement(agreement)[:3] in pairs
    }


def read_page_agreements(candidate: Candidate, address: str, root: bytes) -> AbstractSet[bytes]:
    body = staged.read_page(candidate, address)
    return agreements.agreements_of_page(address, body, root).agreements if body else frozenset()


def read_mirror_agreements(candidate: Candidate, mirror: str, root: bytes) -> AbstractSet[bytes]:
    """Return the agreements of a mirror; none if it does not link back to its page."""
    mirror_side = agreements.agreements_of_mirror(
        mirror,
        headers_of_document(candidate, mirror),
        staged.read_mirror(candidate, mirror) or b"",
        root,
    )
    return frozenset() if mirror_side.faults else mirror_side.agreements


def headers_of_document(candidate: Candidate, address: str) -> Mapping[str, str]:
    """Return the headers of a document of the release, or none if it does not exist."""
    line = published_lines(candidate.workspace.staging).line(address)
    profiles = candidate.manifest.documents.profiles
    return parse_document(line, profiles).headers if line else {}
