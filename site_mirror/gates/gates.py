"""All gates of a freeze: the check of each document, and the verdicts about the release.

A gate is a module. It checks each document in the process that renders it, or judges the release,
or both.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

import orjson
from msgspec import Struct, field

from catalogue import addresses
from site_mirror.documents.family import Document
from site_mirror.gates import (
    contract,
    coverage,
    deletions,
    hosts,
    joined,
    links,
    mirrors,
    texts,
    vanished,
)
from site_mirror.gates.contract import Contract, load_contract
from site_mirror.gates.reading import header_links, read_links, read_page
from site_mirror.gates.staged import CheckedDocuments, StagedRelease
from site_mirror.snapshot.changes import read_removed
from site_mirror.snapshot.evidence import Evidence, Fault
from site_mirror.snapshot.layout import REMOVED
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Candidate

HTML, MARKDOWN = "text/html", "text/markdown"


class Examiner(Struct, frozen=True):
    """Checks documents with the OpenAPI document and the site's root, each by itself."""

    description: bytes
    root: str

    @property
    def contract(self) -> Contract:
        return load_contract(self.description)

    def __call__(self, document: Document, body: bytes) -> Evidence:
        """Return the evidence of a document."""
        evidence = Evidence()
        evidence.faults += self.examine(document, body, evidence)
        evidence.checked[links.GATE] = len(evidence.targets)
        return evidence

    def examine(self, document: Document, body: bytes, evidence: Evidence) -> Iterator[Fault]:
        """Add the evidence of a body, and yield its faults."""
        address, media_type = document.address, document.media_type.partition(";")[0]
        page = read_page(body) if media_type == HTML else None
        written = page.links if page else read_links(media_type, body)
        found = links.sort_links(written + header_links(document.headers), address, self.root)
        evidence.targets |= found.targets
        evidence.checked[hosts.GATE] += len(written)
        yield from faults_of(hosts.GATE, hosts.find_host_faults(address, found.outside, self.root))
        if page:
            anchors = links.find_missing_anchors(address, found, page)
            alternates = mirrors.check_page(evidence, address, page, self.root)
            yield from faults_of(links.GATE, anchors)
            yield from faults_of(mirrors.GATE, alternates)
            yield from faults_of(texts.GATE, texts.check_page(evidence, address, page))
        elif media_type == MARKDOWN:
            pointers = mirrors.check_mirror(evidence, address, document.headers, body, self.root)
            yield from faults_of(mirrors.GATE, pointers)
        elif address == addresses.LLMS_FULL:
            yield from faults_of(mirrors.GATE, joined.find_joining_faults(address, body))
        elif address.startswith(f"{self.contract.base}/"):
            value = orjson.loads(body)
            faults = self.contract.faults(
                document.family, address, document.media_type, document.headers, value
            )
            yield from faults_of(contract.GATE, faults)
            yield from faults_of(links.GATE, links.find_wrong_self(address, value, self.root))
            evidence.checked[contract.GATE] = 1


def faults_of(gate: str, sentences: Iterable[str]) -> Iterator[Fault]:
    return (Fault(gate, words) for words in sentences)


class SiteGates(Struct):
    """The gates of this site.

    `retired` addresses may disappear; each also stands for its aliases and its mirror.
    `is_withdrawn` tells whether editors took a document or a redirect off the site. `elsewhere` are
    the addresses of this site that another program answers, such as the index of the next version
    of the API.
    """

    check: Examiner
    retired: Collection[str]
    is_withdrawn: Callable[[vanished.RemovedAddress], bool]
    elsewhere: Collection[str]
    max_deleted_percent: int
    documents: CheckedDocuments = field(default_factory=CheckedDocuments)

    def collect(self, result: BatchResult) -> None:
        self.documents.add(result)

    def conclude(self, candidate: Candidate) -> tuple[Verdict, ...]:
        known = self.check.contract
        release = StagedRelease(candidate, self.documents, self.check.root)
        self.documents.published.update(each.template for each in known.operations.values())
        self.documents.published.update(self.elsewhere)
        gone = frozenset(read_removed(candidate.workspace.staging / REMOVED))
        return (
            contract.judge(release, known),
            coverage.judge(release, known),
            links.judge(release, gone),
            release.verdict(hosts.GATE, "links"),
            mirrors.judge(release),
            release.verdict(texts.GATE, "pages"),
            *self.judge_removals(candidate, gone),
        )

    def judge_removals(self, candidate: Candidate, gone: frozenset[str]) -> tuple[Verdict, Verdict]:
        before = candidate.previous
        if before is None:
            is_first = candidate.workspace.published is None
            reason = (
                "nothing was published before" if is_first else "the manifest before cannot be read"
            )
            return (
                Verdict(vanished.GATE, "addresses of before", 0, reason=reason),
                Verdict(deletions.GATE, "documents of before", 0, reason=reason),
            )
        removed = vanished.find_removed(before, gone)
        lost = [each for each in removed if not self.is_withdrawn(each)]
        documents = sum(each.is_document for each in lost)
        return (
            vanished.judge(before, lost, self.retired),
            deletions.judge(documents, len(before.documents), self.max_deleted_percent),
        )
