"""Where readers find a row: its page, its JSON document, and a page that lists it."""

from typing import Any

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import STANDING_PAGES, api_address
from catalogue.models import (
    ApiVersion,
    App,
    Image,
    Page,
    Post,
    Principle,
    ScienceTopic,
    Statistic,
    Studio,
    Tag,
    TeamMember,
    TimelineEntry,
)


class Place(Struct, frozen=True):
    """Addresses in English: `page` and `listed` are pages, `data` is a document of the API."""

    page: str
    data: str
    listed: str

    def address(self, shown: str, language: str) -> str:
        """Return the address of a form of the row: `page`, `markdown`, `json` or `list`."""
        if shown == "json":
            return self.data
        page = addresses.page_in(language, self.listed if shown == "list" else self.page)
        return addresses.mirror_of(page) if shown == "markdown" else page


SHARED_PLACES = {
    ScienceTopic: Place(addresses.SCIENCE_PAGE, api_address("/science"), addresses.HOME),
    Principle: Place(STANDING_PAGES["about"], api_address("/principles"), addresses.HOME),
    TimelineEntry: Place(STANDING_PAGES["timeline"], api_address("/timeline"), addresses.HOME),
    Studio: Place(STANDING_PAGES["about"], api_address("/studio"), addresses.HOME),
    TeamMember: Place(STANDING_PAGES["about"], api_address("/team"), addresses.HOME),
    Statistic: Place(addresses.HOME, api_address("/stats"), addresses.HOME),
    ApiVersion: Place(addresses.VERSIONING_POLICY, api_address("/versions"), addresses.HOME),
}
"""Places of rows that have no page of their own."""


def place_of(row: Any) -> Place:
    slug = getattr(row, "slug", "")
    if isinstance(row, Post):
        return Place(addresses.post_page(slug), addresses.post_document(slug), addresses.BLOG)
    if isinstance(row, App):
        return Place(addresses.app_page(slug), addresses.app_document(slug), STANDING_PAGES["apps"])
    if isinstance(row, Tag):
        return Place(addresses.tag_page(slug), api_address("/posts"), addresses.BLOG)
    if isinstance(row, Page):
        return Place(STANDING_PAGES[slug], addresses.OPENAPI, addresses.HOME)
    if isinstance(row, Image):
        return Place(row.address, row.address, row.address)
    return SHARED_PLACES[type(row)]
