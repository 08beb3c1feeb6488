"""Examples: programs that use the API, each in three languages, and their present output."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from api.contract import BUDGET
from catalogue import addresses
from site_mirror.pages.blocks import Listing, Paragraph, Section
from site_mirror.pages.docs import phrases
from site_mirror.pages.docs.sources import ApiReference
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import localized_text

PROGRAMS_FOLDER = Path(__file__).parent / "programs"
PROGRAM_LANGUAGES = {
    "sh": ("curl", "shell"),
    "py": ("Python", "python"),
    "mjs": ("JavaScript", "javascript"),
}
"""The language of a program by its suffix: its name, and its name for syntax highlighting."""


class Example(Struct, frozen=True):
    """A task and its programs, `programs/NAME.SUFFIX.jinja`.

    `needs_apps` and `needs_posts` say that it needs published content.
    """

    name: str
    title: str
    about: str
    needs_apps: bool = False
    needs_posts: bool = False

    def is_possible(self, subject: ApiReference) -> bool:
        """Whether the content that the example needs is published."""
        has_apps = bool(subject.apps) or not self.needs_apps
        return has_apps and (bool(subject.posts) or not self.needs_posts)


def all_examples() -> list[Example]:
    """Return the examples, in the active language."""
    return [
        Example(
            "list", _("Get a list"), _("A collection has its items in `data`."), needs_apps=True
        ),
        Example(
            "localized",
            _("Read localized text"),
            _("English is always there and stands in for what is not translated."),
            needs_apps=True,
        ),
        Example(
            "conditional",
            _("Ask only for what has changed"),
            _("The `ETag` of the first answer makes the second one a 304 without a body."),
        ),
        Example(
            "markdown",
            _("Read a page as Markdown"),
            _("`Accept` chooses the form of a page; `.md` at the end of its address does, too."),
        ),
        Example(
            "problem",
            _("Understand an error"),
            _("The body of an error is a problem: `status` and `title` are always there."),
        ),
        Example(
            "polite",
            _("Read many documents within the limits"),
            _(
                "Lists have no pages to turn. Spread your requests over the window, and after a "
                "429 wait for as many seconds as `Retry-After` says."
            ),
            needs_posts=True,
        ),
    ]


def example_sections(frame: Frame, subject: ApiReference) -> Iterator[Section]:
    values = program_values(frame, subject)
    for example in all_examples():
        if example.is_possible(subject):
            yield example_section(example, values)


def example_section(example: Example, values: dict[str, Any]) -> Section:
    listings = [
        Listing(label, language, render_program(f"{example.name}.{suffix}", values))
        for suffix, (label, language) in PROGRAM_LANGUAGES.items()
    ]
    output = Listing(
        _("Each of them prints"), "text", render_program(f"{example.name}.txt", values)
    )
    about = Paragraph(phrases.mark_code(example.about))
    return Section(f"example-{example.name}", example.title, [about, *listings, output], "example")


def program_values(frame: Frame, subject: ApiReference) -> dict[str, Any]:
    """Return the variables of the templates of programs and their output."""
    page = frame.address_here(addresses.DOCUMENTATION)
    return {
        "site": frame.site.root,
        "language": frame.language,
        "page": page,
        "mirror": addresses.mirror_of(page),
        "apps": subject.apps,
        "tagline": localized_text(frame, subject.apps[0], "tagline") if subject.apps else "",
        "posts": subject.posts,
        "per_second": BUDGET.requests // BUDGET.window_seconds,
        "pause": BUDGET.window_seconds / BUDGET.requests,
    }


def render_program(name: str, values: dict[str, Any]) -> str:
    return program_environment().get_template(f"{name}.jinja").render(values)


@cache
def program_environment() -> Environment:
    """Return the environment for programs, which are not HTML: their block escapes them."""
    return Environment(  # noqa: S701
        loader=FileSystemLoader(PROGRAMS_FOLDER),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
