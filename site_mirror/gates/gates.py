"""All gates of a freeze: the check of each document, and the verdicts about the release."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import orjson
from msgspec import Struct, field

from catalogue import addresses
from site_mirror.gates import coverage, resolving, vanishing
from site_mirror.gates.deletion_limit import MAX_DELETED_PERCENT
from site_mirror.gates.examining import Examiner
from site_mirror.gates.release_evidence import ReleaseEvidence
from site_mirror.gates.vanishing import Retirements
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.evidence import HOSTS_GATE, TEXTS_GATE
from site_mirror.snapshot.files import read_file
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.verdicts import Verdict


class SiteGates(Struct):
    """The gates of this site.

    `max_deleted_percent` is `None` if a freeze may delete any number of documents. `elsewhere`
    returns the addresses of this site that another program answers, such as the index of the next
    version of the API.
    """

    examiner: Examiner
    retirements: Retirements
    max_deleted_percent: int | None = MAX_DELETED_PERCENT
    elsewhere: Callable[[], Iterable[str]] = tuple
    evidence: ReleaseEvidence = field(default_factory=ReleaseEvidence)

    @property
    def check(self) -> Examiner:
        return self.examiner

    def collect(self, result: BatchResult) -> None:
        self.evidence.collect(result)

    def conclude(self, candidate: Candidate) -> tuple[Verdict, ...]:
        evidence, examiner = self.evidence, self.examiner
        templates = (each.template for each in examiner.contract.operations.values())
        for address in chain(templates, self.elsewhere()):
            evidence.add_address(address)
        gone = vanishing.read_removed_addresses(candidate)
        return (
            coverage.judge_contract(
                evidence, candidate, examiner.contract, read_published_contract(candidate)
            ),
            coverage.judge_coverage(evidence, candidate, examiner.contract),
            resolving.judge_links(evidence, candidate, examiner, gone),
            evidence.failures[HOSTS_GATE].verdict(
                HOSTS_GATE, "absolute addresses", evidence.checked[HOSTS_GATE], held=evidence.reused
            ),
            coverage.judge_mirrors(evidence, candidate, examiner),
            evidence.failures[TEXTS_GATE].verdict(
                TEXTS_GATE, "pages", evidence.checked[TEXTS_GATE], held=evidence.reused
            ),
            *vanishing.judge_removals(candidate, gone, self.retirements, self.max_deleted_percent),
        )


def read_published_contract(candidate: Candidate) -> dict[str, Any] | None:
    """Return the published OpenAPI document; `None` if there is none that can be read."""
    if candidate.workspace.published is None:
        return None
    try:
        return dict(
            orjson.loads(read_file(candidate.workspace.published, PUBLIC + addresses.OPENAPI))
        )
    except (OSError, ValueError):
        return None
