"""All gates of a freeze: documents one by one, then the release as a whole."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import orjson
from msgspec import Struct, field

from catalogue import addresses
from site_mirror.gates import compatibility, coverage, resolving, vanishing
from site_mirror.gates.evidence import HOSTS, TEXTS
from site_mirror.gates.examining import Examiner
from site_mirror.gates.ledger import Ledger
from site_mirror.gates.share import SHARE
from site_mirror.gates.vanishing import Retirements
from site_mirror.gates.verdicts import Verdict
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.files import body
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.portions import Portion


class Gates(Struct):
    """What a freeze asks before it publishes.

    `share` is `None` where any number of documents may go; `elsewhere` tells the addresses of
    this site that another program answers, such as the index of the next version.
    """

    examiner: Examiner
    retirements: Retirements
    share: int | None = SHARE
    elsewhere: Callable[[], Iterable[str]] = tuple
    ledger: Ledger = field(default_factory=Ledger)

    def note(self, portion: Portion) -> None:
        self.ledger.note(portion)

    def conclude(self, candidate: Candidate) -> tuple[Verdict, ...]:
        ledger, examiner = self.ledger, self.examiner
        templates = (each.template for each in examiner.contract.operations.values())
        for address in chain(templates, self.elsewhere()):
            ledger.publish(address)
        gone = vanishing.removed(candidate)
        was, reason = description_before(candidate)
        return (
            coverage.contract(ledger, candidate, examiner.contract, was),
            coverage.coverage(ledger, candidate, examiner.contract),
            resolving.links(ledger, candidate, examiner, gone),
            ledger.failures[HOSTS].verdict(
                HOSTS, "absolute addresses", ledger.checked[HOSTS], held=ledger.held
            ),
            coverage.mirrors(ledger, candidate, examiner),
            ledger.failures[TEXTS].verdict(TEXTS, "pages", ledger.checked[TEXTS], held=ledger.held),
            *vanishing.verdicts(candidate, gone, self.retirements, self.share),
            compatibility.version(was, examiner.contract.description, reason),
        )


def description_before(candidate: Candidate) -> tuple[dict[str, Any] | None, str]:
    """The OpenAPI document that is published, or why there is none."""
    published = candidate.place.published
    if published is None:
        return None, vanishing.FIRST
    try:
        return orjson.loads(body(published, PUBLIC + addresses.OPENAPI)), ""
    except (OSError, ValueError):
        return None, "no OpenAPI document was published before"
