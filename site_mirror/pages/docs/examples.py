"""Examples: programs that use the API, each in three languages, and their present output."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

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


class Example(Struct, frozen=True):
    """An example, in each language; it is left out without the content that it `needs`.

    Its programs and their output are `programs/NAME.SUFFIX.jinja`.
    """

    name: str
    title: Mapping[str, str]
    text: Mapping[str, str]
    needs: str = ""


EXAMPLES = msgspec.json.decode(
    (PROGRAMS_FOLDER / "examples.json").read_bytes(), type=tuple[Example, ...]
)


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
    for example in EXAMPLES:
        if example.needs and not values[example.needs]:
            continue
        name, about = example.name, example.text[frame.language]
        listings = [
            Listing(label, language, render_program(f"{name}.{suffix}", values))
            for suffix, (label, language) in PROGRAM_LANGUAGES.items()
        ]
        output = Listing(_("Each of them prints"), "text", render_program(f"{name}.txt", values))
        blocks = [Paragraph(mark_code(about)), *listings, output]
        yield Section(f"example-{name}", example.title[frame.language], blocks, "example")


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
