"""The frame of all pages of a language: site, name of the studio, and links to standing pages."""

from datetime import date
from functools import cache, cached_property, lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override
from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import STANDING_PAGES, Site
from catalogue.texts.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import days
from site_mirror.pages.blocks import Link, Moment


class Frame(Struct, frozen=True, dict=True):
    """The frame of pages in `language`, which must be the active one.

    `standing` has the language and the slug of each published standing page.
    """

    site: Site
    language: str
    studio: str
    standing: frozenset[tuple[str, str]]
    email: str = ""
    github: str = ""

    def gettext(self, text: str) -> str:
        """Return a label in this language, cached because many pages show the same labels."""
        return translate_label(self.language, text)

    @property
    def other_language(self) -> str:
        return VIETNAMESE if self.language == ENGLISH else ENGLISH

    def address_here(self, page: str) -> str:
        """Return the address in this language of an English page."""
        return addresses.page_in(self.language, page)

    def summarize(
        self, page: str, title: str, summary: str, *, has_twin: bool, **more: Any
    ) -> PageSummary:
        """Return the summary in this language of an English page, whose twin is in the other."""
        here, twin = self.address_here(page), addresses.page_in(self.other_language, page)
        return PageSummary(here, self.language, title, summary, twin if has_twin else None, **more)

    def link(self, label: str, page: str, *, translated: bool, note: str = "") -> Link:
        """Return a link to a page in this language, or to the English page if it is missing."""
        if self.language == ENGLISH or translated:
            return Link(label, self.address_here(page), note=note)
        return Link(label, page, language=ENGLISH, note=note)

    def has_standing_page(self, slug: str) -> bool:
        return (self.language, slug) in self.standing

    def standing_link(self, label: str, slug: str) -> Link | None:
        """Return a link to a standing page, or `None` if it is published in no language."""
        if not any((language, slug) in self.standing for language in LANGUAGES):
            return None
        return self.link(label, STANDING_PAGES[slug], translated=self.has_standing_page(slug))

    def links(self, labels: dict[str, str]) -> list[Link]:
        links = (self.standing_link(label, slug) for slug, label in labels.items())
        return [link for link in links if link]

    @cached_property
    def home(self) -> Link:
        return self.link(
            self.gettext("Home"), addresses.HOME, translated=self.has_standing_page("home")
        )

    @cached_property
    def trail_to_apps(self) -> tuple[Link, ...]:
        return (self.home, *self.links({"apps": self.gettext("Apps")}))

    @cached_property
    def trail_to_blog(self) -> tuple[Link, ...]:
        return (self.home, *self.links({"blog": self.gettext("Blog")}))

    @property
    def navigation(self) -> list[Link]:
        labels = {
            "apps": _("Apps"),
            "blog": _("Blog"),
            "science": _("Science"),
            "timeline": _("Timeline"),
            "about": _("About"),
            "docs-api": _("API"),
        }
        return self.links(labels)

    @property
    def footer(self) -> list[Link]:
        labels = {
            "docs-versioning": _("Versioning"),
            "docs-problems": _("Problem types"),
            "docs-licence": _("Licence"),
            "privacy": _("Privacy"),
        }
        return self.links(labels)

    def day(self, value: date) -> Moment:
        return moment_of_day(self.language, value)

    def partial_date(self, value: str) -> Moment:
        return Moment(value, days.format_partial_date(self.language, value))


@cache
def translate_label(language: str, text: str) -> str:
    with override(language):
        return _(text)


@lru_cache(maxsize=1 << 14)
def moment_of_day(language: str, value: date) -> Moment:
    return Moment(value.isoformat(), days.format_day(language, value))
