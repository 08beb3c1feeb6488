"""The API as a whole: every operation has its documents, every error body keeps the contract."""

from collections.abc import Iterator

import orjson

from api.contract import PROBLEM_JSON
from site_mirror.gates import agreements, staged
from site_mirror.gates.contract import Contract, Operation
from site_mirror.gates.evidence import CONTRACT, COVERAGE, MIRRORS
from site_mirror.gates.examining import Examiner, rows_of
from site_mirror.gates.ledger import Ledger
from site_mirror.gates.verdicts import Verdict, of_all
from site_mirror.snapshot.candidate import Candidate


def contract(ledger: Ledger, candidate: Candidate, known: Contract) -> Verdict:
    """Documents were examined one by one; what is left are the bodies of errors."""
    failures, checked = ledger.failures[CONTRACT], ledger.checked[CONTRACT]
    for error in candidate.manifest.errors:
        if error.media_type == PROBLEM_JSON:
            checked += 1
            name = f"the body of a {error.status} below {error.scope}"
            body = orjson.loads(staged.error(candidate, error.file))
            for words in known.problem_faults(name, body, error.status):
                failures.add(words)
    return failures.verdict(CONTRACT, "API bodies with their headers", checked, held=ledger.held)


def coverage(ledger: Ledger, candidate: Candidate, known: Contract) -> Verdict:
    """That every API document belongs to an operation was seen when it was examined."""
    operations = known.operations
    failures = of_all(
        words
        for name, operation in operations.items()
        for words in uncovered(name, operation, ledger, candidate)
    )
    return failures.verdict(COVERAGE, "operations of the API", len(operations))


def uncovered(
    name: str, operation: Operation, ledger: Ledger, candidate: Candidate
) -> Iterator[str]:
    """An operation without a parameter has one document, another one for each row of its list."""
    found, listing = ledger.families[name], operation.list_of_items
    if not listing:
        if found != 1:
            yield f"{name} has {found} documents, not one, at {operation.template}"
        return
    listed = ledger.rows.get(listing)
    if listed is None and ledger.held:
        listed = rows_of(orjson.loads(staged.document(candidate, listing) or b"{}"))
    if found != listed:
        yield f"{name} has {found} documents, and {listing} lists {listed or 0}"


def mirrors(ledger: Ledger, candidate: Candidate, examiner: Examiner) -> Verdict:
    """What is left of the agreements; with documents taken over, both sides are read again."""
    failures, left = ledger.failures[MIRRORS], {*ledger.agreements.values()}
    if left and ledger.held:
        left -= settled(left, candidate, examiner.root)
    for words in agreements.disagreements(left):
        failures.add(words)
    checked = ledger.checked[MIRRORS]
    return failures.verdict(MIRRORS, "pages and mirrors", checked, held=ledger.held)


def settled(left: set[bytes], candidate: Candidate, root: bytes) -> set[bytes]:
    """Agreements that both documents make, as their files tell."""
    pages, pairs = set(), set()
    for kind, one, other, _ in map(agreements.told, left):
        pages |= {one} if kind == "mirror" else {one, other}
        pairs |= {(one, other)} if kind == "mirror" else set()
    made = [*(said_by_page(candidate, page, root) for page in pages)]
    made += (said_by_mirror(candidate, *pair, root) for pair in pairs)
    return {agreement for agreement in left if sum(agreement in said for said in made) > 1}


def said_by_page(candidate: Candidate, address: str, root: bytes) -> frozenset[bytes]:
    body = staged.page(candidate, address)
    return agreements.of_page(address, body, root).agreements if body else frozenset()


def said_by_mirror(candidate: Candidate, page: str, mirror: str, root: bytes) -> frozenset[bytes]:
    body = staged.mirror(candidate, mirror)
    link = {"Link": f'<{root.decode()}{page}>; rel="canonical"'}
    return agreements.of_mirror(mirror, link, body, root).agreements if body else frozenset()
