"""Every link leads to something that is published."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any

from msgspec import Struct

from site_mirror.gates import exact, places, references, staged
from site_mirror.gates.evidence import LINKS
from site_mirror.gates.examining import Examiner
from site_mirror.gates.kinds import Kind, kind_of
from site_mirror.gates.ledger import Ledger
from site_mirror.gates.verdicts import Failures, Verdict
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.marks import mark

FEW = 50
"""Names that are looked for in a text one by one, before its links are read."""


class Suspects(Struct, frozen=True, dict=True):
    """Targets that may lead nowhere: marks of addresses, and addresses and places by name."""

    hashes: frozenset[int]
    names: frozenset[bytes]

    def __bool__(self) -> bool:
        return bool(self.hashes or self.names)

    @cached_property
    def needles(self) -> tuple[bytes, ...]:
        """What a text must have to link to one; nothing where only reading tells."""
        return () if self.hashes or len(self.names) > FEW else tuple(self.names)

    def may_be_in(self, body: bytes) -> bool:
        return not self.needles or any(needle in body for needle in self.needles)

    def among(self, targets: AbstractSet[bytes]) -> set[bytes]:
        return {name for name in targets if name in self.names or mark(name) in self.hashes}


def links(
    ledger: Ledger, candidate: Candidate, examiner: Examiner, removed: frozenset[str]
) -> Verdict:
    """`removed` are addresses that the release before answered and this one does not."""
    failures, checked = ledger.failures[LINKS], ledger.checked[LINKS]
    moved = redirects(ledger, candidate, examiner, failures)
    names = places.missing(ledger, candidate, moved)
    if ledger.held:
        names |= {address.encode() for address in removed}
    suspects = Suspects(frozenset(ledger.unresolved), frozenset(names))
    lines = staged.lines(candidate) if names else staged.some_lines(candidate, ledger.doubtful())
    for words in broken(candidate, lines, examiner, suspects) if suspects else ():
        failures.add(words)
    places.write(ledger, candidate)
    checked += len(moved) + errors(ledger, candidate, examiner, failures)
    return failures.verdict(LINKS, "links", checked, held=ledger.held)


def redirects(
    ledger: Ledger, candidate: Candidate, examiner: Examiner, failures: Failures
) -> dict[str, str]:
    """Former addresses and where they lead: to a document, in one step."""
    moved = {}
    for redirect in candidate.manifest.redirects:
        target = examiner.target(redirect.location, b"/")[0].decode()
        if not ledger.has(target):
            failures.add(f"{redirect.address} leads to {redirect.location}, which is no document")
        moved[redirect.address] = target
    for address in moved:
        ledger.publish(address)
    return moved


def errors(ledger: Ledger, candidate: Candidate, examiner: Examiner, failures: Failures) -> int:
    """What the bodies of errors link to; returns how many links they have."""
    count = 0
    for error in candidate.manifest.errors:
        body = staged.error(candidate, error.file)
        targets = exact_targets(examiner, kind_of(error.media_type, body), error.scope, body)
        count += len(targets)
        for target in sorted(targets):
            if target and not ledger.has(target.partition(b"#")[0].decode()):
                where = f"the body of a {error.status} below {error.scope}"
                failures.add(f"{where} links to {told(target)}")
    return count


def broken(
    candidate: Candidate,
    lines: Iterable[Mapping[str, Any]],
    examiner: Examiner,
    suspects: Suspects,
) -> Iterator[str]:
    """Links that lead nowhere, one for each document and target."""
    for line in lines:
        yield from broken_headers(line, examiner, suspects)
        body = staged.body(candidate, line["file"]) or b""
        if suspects.may_be_in(body):
            kind = kind_of(line["mediaType"], body)
            yield from broken_links(line["document"], kind, body, examiner, suspects)


def broken_headers(
    line: Mapping[str, Any], examiner: Examiner, suspects: Suspects
) -> Iterator[str]:
    targets = references.of_header(line["headers"].get("Link", ""), examiner.root)
    for target in sorted(suspects.among(targets)):
        yield f"the header Link of {line['document']} leads to {told(target)}"


def broken_links(
    address: str, kind: Kind, body: bytes, examiner: Examiner, suspects: Suspects
) -> Iterator[str]:
    found = references.found(kind, body, examiner.root, address.encode())
    doubtful = suspects.among(found.addresses | found.fragments)
    exactly = exact_targets(examiner, kind, address, body) if doubtful else set()
    for target in sorted(doubtful & exactly):
        yield f"{address} links to {told(target)}"


def exact_targets(examiner: Examiner, kind: Kind, address: str, body: bytes) -> set[bytes]:
    """Addresses of this site, and places on them."""
    targets: set[bytes] = set()
    for link in exact.links(kind, body):
        target, name = examiner.target(link, address.encode())
        targets |= {target, target + b"#" + name} if name else {target}
    return targets


def told(target: bytes) -> str:
    address = target.decode("utf-8", "replace")
    page, _, place = address.partition("#")
    missing = f"and {page} has no such place" if place else "where nothing is published"
    return f"{address}, {missing}"
