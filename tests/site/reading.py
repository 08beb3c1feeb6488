"""What the live origin serves, read as programs read it."""

from datetime import UTC, datetime

from django.utils import timezone

from catalogue.addresses import Site
from site_mirror import registry
from site_mirror.framing import context_at
from site_mirror.listing import Listed, Publisher
from tests.freeze.asking import ask

SITE = Site("https://studio.example")
STUDIO = Publisher("A Studio", "It measures.", "hello@studio.example")
MOMENT = datetime(2026, 3, 31, 20, tzinfo=UTC)


def served(address: str) -> str:
    """The text of an address, which answers 200."""
    answer = ask(address)
    assert answer.status_code == 200, f"{address} answers {answer.status_code}"
    return answer.content.decode()


def statuses(addresses: set[str]) -> dict[str, int]:
    """Every absolute address of the site that does not answer 200."""
    answers = {
        address: ask(address.partition("#")[0].removeprefix(SITE.root)).status_code
        for address in addresses
    }
    return {address: status for address, status in answers.items() if status != 200}


def pages() -> list[Listed]:
    return list(registry.pages(context_at(SITE, timezone.now())))


def page(address: str = "/blog/a-post", **changes: object) -> Listed:
    values = {"language": "en", "title": "A post", "summary": "A summary.", "moment": MOMENT}
    return Listed(address=address, **{**values, **changes})  # type: ignore[arg-type]
