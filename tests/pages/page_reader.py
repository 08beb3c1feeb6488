"""Documents of the live origin and of the registry, and examples of page summaries."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.utils import timezone

from catalogue.addresses import Site
from site_mirror.documents.context import Context
from site_mirror.documents.family import Document
from site_mirror.documents.summaries import PageSummary, Publisher
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from tests.freeze.live_requests import ask

SITE = Site("https://studio.example")
STUDIO = Publisher("A Studio", "It measures.", "hello@studio.example")
MOMENT = datetime(2026, 3, 31, 20, tzinfo=UTC)


def read_document(address: str) -> str:
    """Return the text of a document; the response must be a 200."""
    answer = ask(address)
    assert answer.status_code == 200, f"{address} answers {answer.status_code}"
    return answer.content.decode()


def find_failing(addresses: set[str]) -> dict[str, int]:
    """Return the absolute addresses whose response is not a 200, with its status."""
    answers = {
        address: ask(address.partition("#")[0].removeprefix(SITE.root)).status_code
        for address in addresses
    }
    return {address: status for address, status in answers.items() if status != 200}


def render_documents(context: Context) -> Iterator[Document]:
    """Yield the documents that are published at a moment, in the order of the registry."""
    for family in table.FAMILIES:
        yield from family.documents(context)


def list_pages() -> list[PageSummary]:
    return list(table.page_summaries(context_at(SITE, timezone.now())))


def make_page_summary(address: str = "/blog/a-post", **changes: object) -> PageSummary:
    values = {"language": "en", "title": "A post", "summary": "A summary.", "moment": MOMENT}
    return PageSummary(address=address, **{**values, **changes})  # type: ignore[arg-type]
