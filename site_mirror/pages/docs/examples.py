"""Programs that use the API, each in three languages, with what they print today."""

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
from site_mirror.pages.docs.sources import Described
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import said

PROGRAMS = Path(__file__).parent / "programs"
LANGUAGES = {
    "sh": ("curl", "shell"),
    "py": ("Python", "python"),
    "mjs": ("JavaScript", "javascript"),
}
"""Suffix of a program: what its language is called, by people and where code is coloured."""


class Example(Struct, frozen=True):
    """A task, and what has to be known about it; its programs are `PROGRAMS/NAME.SUFFIX.jinja`."""

    name: str
    title: str
    about: str
    apps: bool = False
    posts: bool = False

    def possible(self, subject: Described) -> bool:
        """Whether there is content to try it on."""
        return (bool(subject.apps) or not self.apps) and (bool(subject.posts) or not self.posts)


def examples() -> list[Example]:
    """In the language that is active."""
    return [
        Example("list", _("Get a list"), _("A collection has its items in `data`."), apps=True),
        Example(
            "localized",
            _("Read localized text"),
            _("English is always there and stands in for what is not translated."),
            apps=True,
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
            posts=True,
        ),
    ]


def sections(frame: Frame, subject: Described) -> Iterator[Section]:
    values = known(frame, subject)
    for example in examples():
        if example.possible(subject):
            yield section(example, values)


def section(example: Example, values: dict[str, Any]) -> Section:
    listings = [
        Listing(label, language, program(f"{example.name}.{suffix}", values))
        for suffix, (label, language) in LANGUAGES.items()
    ]
    output = Listing(_("Each of them prints"), "text", program(f"{example.name}.txt", values))
    about = Paragraph(phrases.marked(example.about))
    return Section(f"example-{example.name}", example.title, [about, *listings, output], "example")


def known(frame: Frame, subject: Described) -> dict[str, Any]:
    """What the programs and their output are made of."""
    page = frame.here(addresses.DOCUMENTATION)
    return {
        "site": frame.site.root,
        "language": frame.language,
        "page": page,
        "mirror": addresses.mirror(page),
        "apps": subject.apps,
        "tagline": said(frame, subject.apps[0], "tagline") if subject.apps else "",
        "posts": subject.posts,
        "per_second": BUDGET.requests // BUDGET.window_seconds,
        "pause": BUDGET.window_seconds / BUDGET.requests,
    }


def program(name: str, values: dict[str, Any]) -> str:
    return environment().get_template(f"{name}.jinja").render(values)


@cache
def environment() -> Environment:
    """Of programs, which are no HTML: the block that shows them escapes them."""
    return Environment(  # noqa: S701
        loader=FileSystemLoader(PROGRAMS),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
