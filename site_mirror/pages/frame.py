"""What surrounds every page of one language: the site, its name, and which pages there are."""

from datetime import date
from functools import cache, cached_property, lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import STANDING_PAGES, Site
from catalogue.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror.pages import days
from site_mirror.pages.blocks import Link, Moment


class Frame(Struct, frozen=True, dict=True):
    """Of the pages in `language`, the active one; `standing` are the languages and the slugs of
    the standing pages.
    """

    site: Site
    language: str
    studio: str
    standing: frozenset[tuple[str, str]]

    def gettext(self, text: str) -> str:
        """A label; labels are few, and a site has many pages."""
        return label(self.language, text)

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """A label of a number of things, with the number where it says `%(count)d`."""
        return counted(self.language, singular, plural, count)

    @property
    def other(self) -> str:
        return VIETNAMESE if self.language == ENGLISH else ENGLISH

    def here(self, page: str) -> str:
        """The address in this language, of an English one."""
        return page if self.language == ENGLISH else addresses.vietnamese(page)

    def twin(self, page: str) -> str:
        """The address in the other language, of an English one."""
        return addresses.vietnamese(page) if self.language == ENGLISH else page

    def link(self, label: str, page: str, *, translated: bool, note: str = "") -> Link:
        """A link to a page in this language, or to the English one where there is none."""
        if self.language == ENGLISH or translated:
            return Link(label, self.here(page), note=note)
        return Link(label, page, language=ENGLISH, note=note)

    def stands(self, slug: str) -> bool:
        """Whether there is a standing page in this language."""
        return (self.language, slug) in self.standing

    def standing_link(self, label: str, slug: str) -> Link | None:
        """A link to a standing page, if there is one in any language."""
        if not any((language, slug) in self.standing for language in LANGUAGES):
            return None
        return self.link(label, STANDING_PAGES[slug], translated=self.stands(slug))

    def links(self, labels: dict[str, str]) -> list[Link]:
        found = (self.standing_link(label, slug) for slug, label in labels.items())
        return [link for link in found if link]

    @cached_property
    def home(self) -> Link:
        return self.link(self.gettext("Home"), addresses.HOME, translated=self.stands("home"))

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
        return day_in(self.language, value)

    def partial_date(self, value: str) -> Moment:
        """A date as precise as it is known: `2019`, `2021-06` or `2021-06-14`."""
        return Moment(value, days.partial_date(self.language, value))


@cache
def label(language: str, text: str) -> str:
    with override(language):
        return _(text)


@lru_cache(maxsize=512)
def counted(language: str, singular: str, plural: str, count: int) -> str:
    with override(language):
        return ngettext(singular, plural, count) % {"count": count}


@lru_cache(maxsize=1 << 14)
def day_in(language: str, value: date) -> Moment:
    return Moment(value.isoformat(), days.day(language, value))
