"""The gate `texts`: every formula of an editor is on its page."""

from collections.abc import Iterator

from site_mirror.gates.reading import Page
from site_mirror.snapshot.evidence import Evidence

GATE = "texts"


def check_page(evidence: Evidence, address: str, page: Page) -> Iterator[str]:
    evidence.checked[GATE] += 1
    yield from (f"{address}: {words}" for words in page.not_shown)
