"""Examples: programs that use the API, each in three languages, and their present output."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.contract import BUDGET
from catalogue import addresses
from catalogue.models import App
from site_mirror.pages.blocks import Listing, Paragraph, Section
from site_mirror.pages.docs.schemas import mark_code
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import localized_text

PROGRAMS_FOLDER = Path(__file__).parent / "programs"
PROGRAM_LANGUAGES = {
    "sh": ("curl", "shell"),
    "py": ("Python", "python"),
    "mjs": ("JavaScript", "javascript"),
}
"""The language of a program by its suffix: its name, and its name for syntax highlighting."""

NEEDED = {"list": "apps", "localized": "apps", "polite": "posts"}
"""The content without which an example is left out."""


def example_texts() -> dict[str, tuple[str, str]]:
    """Return title and text of each example; its programs are `programs/NAME.SUFFIX.jinja`."""
    return {
        "list": (_("Get a list"), _("A collection has its items in `data`.")),
        "localized": (
            _("Read localized text"),
            _("English is always there and stands in for what is not translated."),
        ),
        "conditional": (
            _("Ask only for what has changed"),
            _("The `ETag` of the first answer makes the second one a 304 without a body."),
        ),
        "markdown": (
            _("Read a page as Markdown"),
            _("`Accept` chooses the form of a page; `.md` at the end of its address does, too."),
        ),
        "problem": (
            _("Understand an error"),
            _("The body of an error is a problem: `status` and `title` are always there."),
        ),
        "polite": (
            _("Read many documents within the limits"),
            _(
                "Lists have no pages to turn. Spread your requests over the window, and after a "
                "429 wait for as many seconds as `Retry-After` says."
            ),
        ),
    }


def example_sections(frame: Frame, apps: Sequence[App], posts: int) -> Iterator[Section]:
    """Yield a section for each example; `posts` is the number of published articles."""
    page = frame.address_here(addresses.DOCUMENTATION)
    values = {
        "site": frame.site.root,
        "language": frame.language,
        "page": page,
        "mirror": addresses.mirror_of(page),
        "apps": apps,
        "tagline": localized_text(frame, apps[0], "tagline") if apps else "",
        "posts": posts,
        "per_second": BUDGET.requests // BUDGET.window_seconds,
        "pause": BUDGET.window_seconds / BUDGET.requests,
    }
    for name, (title, about) in example_texts().items():
        if name in NEEDED and not values[NEEDED[name]]:
            continue
        listings = [
            Listing(label, language, render_program(f"{name}.{suffix}", values))
            for suffix, (label, language) in PROGRAM_LANGUAGES.items()
        ]
        output = Listing(_("Each of them prints"), "text", render_program(f"{name}.txt", values))
        blocks = [Paragraph(mark_code(about)), *listings, output]
        yield Section(f"example-{name}", title, blocks, "example")


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
