"""The API as a whole: every operation has its documents, every error body keeps the contract."""

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

import orjson

from api.contract import PROBLEM_JSON
from site_mirror.gates import agreements, staged
from site_mirror.gates.contract import Contract, Operation
from site_mirror.gates.evidence import CONTRACT, COVERAGE, MIRRORS
from site_mirror.gates.examining import Examiner, rows_of
from site_mirror.gates.ledger import Ledger
from site_mirror.gates.verdicts import Verdict, of_all
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.held import lines_of
from site_mirror.snapshot.lines import document

BOTH = 2
"""How many documents make an agreement."""


def contract(
    ledger: Ledger, candidate: Candidate, known: Contract, before: Mapping[str, Any] | None
) -> Verdict:
    """Documents were examined one by one; what is left are the bodies of errors.

    Where the contract is not that of `before`, documents that were taken over are read again.
    """
    failures, checked = ledger.failures[CONTRACT], ledger.checked[CONTRACT]
    if ledger.held and not failures.count and before != known.description:
        for words in bodies(candidate, known, before):
            failures.add(words)
    for error in candidate.manifest.errors:
        if error.media_type == PROBLEM_JSON:
            checked += 1
            name = f"the body of a {error.status} below {error.scope}"
            body = orjson.loads(staged.error(candidate, error.file))
            for words in known.problem_faults(name, body, error.status):
                failures.add(words)
    return failures.verdict(CONTRACT, "API bodies with their headers", checked, held=ledger.held)


def bodies(
    candidate: Candidate, known: Contract, before: Mapping[str, Any] | None
) -> Iterator[str]:
    """What is wrong with the API documents of a release, if their schemas are others."""
    if before is not None and before["components"] == known.components:
        return
    for line in staged.lines(candidate):
        if line["family"] in known.validators:
            body = orjson.loads(staged.body(candidate, line["file"]) or b"null")
            yield from known.body_faults(line["family"], line["document"], body)


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
        left = disputed(left, candidate, examiner.root)
    for words in agreements.disagreements(left):
        failures.add(words)
    checked = ledger.checked[MIRRORS]
    return failures.verdict(MIRRORS, "pages and mirrors", checked, held=ledger.held)


def disputed(left: set[bytes], candidate: Candidate, root: bytes) -> set[bytes]:
    """Agreements that one document makes and another does not, as the files of both tell."""
    pages: set[str] = set()
    mirrors: set[str] = set()
    for kind, one, other, _ in map(agreements.told, left):
        pages |= {one} if kind == "mirror" else {one, other}
        mirrors |= {other} if kind == "mirror" else set()
    made = Counter(chain.from_iterable(said_by_page(candidate, page, root) for page in pages))
    made.update(chain.from_iterable(said_by_mirror(candidate, mirror, root) for mirror in mirrors))
    alone = {agreement for agreement in left if made[agreement] < BOTH}
    between = {agreements.told(agreement)[:3] for agreement in alone}
    return alone | {
        agreement
        for agreement, sides in made.items()
        if sides < BOTH and agreements.told(agreement)[:3] in between
    }


def said_by_page(candidate: Candidate, address: str, root: bytes) -> AbstractSet[bytes]:
    body = staged.page(candidate, address)
    return agreements.of_page(address, body, root).agreements if body else frozenset()


def said_by_mirror(candidate: Candidate, mirror: str, root: bytes) -> AbstractSet[bytes]:
    """One that does not point back to the page says nothing of it."""
    said = agreements.of_mirror(
        mirror, headers_of(candidate, mirror), staged.mirror(candidate, mirror) or b"", root
    )
    return frozenset() if said.faults else said.agreements


def headers_of(candidate: Candidate, address: str) -> Mapping[str, str]:
    """The headers of a document of the release; none if there is no such document."""
    line = lines_of(candidate.place.folder).line(address)
    profiles = candidate.manifest.documents.profiles
    return document(line, profiles).headers if line else {}
