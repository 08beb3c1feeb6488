"""Texts that show other rows: links to the present addresses of renamed rows, and images.

A redirect would do as well, but not every host has redirects, and none for an icon.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from msgspec import Struct

from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import App, Post, Tag
from catalogue.texts import markdown
from catalogue.texts.localized import LANGUAGES
from catalogue.texts.shown_images import ShownImage

SHOWN_IMAGES = "shown_images"
"""The name under which a row has its images."""

MODELS: Mapping[str, Any] = {
    addresses.app_page(""): App,
    addresses.app_icon("").removesuffix(".svg"): App,
    addresses.app_document(""): App,
    addresses.post_page(""): Post,
    addresses.post_document(""): Post,
    addresses.tag_page(""): Tag,
}
"""The models of the rows whose slug ends an address that begins so."""

ADDRESS = re.compile(
    rf"((?:/vi)?(?P<beginning>{'|'.join(sorted(MODELS, reverse=True))}))(?P<slug>[a-z0-9-]+)"
    r"(?=(?:/|\.[a-z]+)?(?:[?#]|$))"
)


class TodaysLinks(Struct, frozen=True):
    """The links of a site at a moment; `slugs` has the former ones of each model.

    `images` has what pages show of each image, by its name.
    """

    site: Site
    slugs: Mapping[Any, Mapping[str, str]]
    images: Mapping[str, ShownImage]

    def write(self, values: dict[str, Any], page: str) -> None:
        """Write today's addresses into the texts of a row, whose English page is given.

        Its images are those that its texts name.
        """
        named = set[str]()
        for language in LANGUAGES:
            name = f"body_{language}"
            values[name] = self.of_text(values[name], addresses.page_in(language, page))
            named |= addresses.names_of_images(values[name])
        shown = sorted(named & self.images.keys())
        values[SHOWN_IMAGES] = tuple(self.images[name] for name in shown)

    def of_text(self, text: str, page: str) -> str:
        """Return the Markdown of a page with today's addresses."""
        if not any(slug in text for slugs in self.slugs.values() for slug in slugs):
            return text
        targets = {target: self.of_link(target, page) for target in markdown.link_targets(text)}
        moved = {old: new for old, new in targets.items() if old != new}
        return markdown.with_targets(text, moved) if moved else text

    def of_link(self, target: str, page: str) -> str:
        """Return a link of a page with today's address; any other link as it is."""
        root = self.site.root if target.startswith(self.site.root) else ""
        try:
            path = target.removeprefix(root) if root else urljoin(page, target)
        except ValueError:  # an address that cannot be read leads nowhere
            return target
        found = ADDRESS.match(path)
        today = found and self.slugs[MODELS[found["beginning"]]].get(found["slug"])
        return f"{root}{found[1]}{today}{path[found.end() :]}" if found and today else target


def read_todays_links(site: Site, at: datetime) -> TodaysLinks:
    """Return the links of a moment, with a query or two for each kind of row."""
    images = {facts[0]: ShownImage(*facts) for facts in questions.image_facts()}
    slugs = {model: dict(read_former_slugs(model, at)) for model in (App, Post, Tag)}
    return TodaysLinks(site, slugs, images)


def read_former_slugs(model: Any, at: datetime) -> Iterator[tuple[str, str]]:
    """Yield the former slugs of published rows, and the present ones."""
    if model.former_slugs.field.model.objects.exists():  # The question takes 20 times as long.
        for former in questions.former_slugs(at, of=model.objects.published(at=at)):
            yield former.slug, former.today
