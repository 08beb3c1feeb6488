"""Programs that use the API, each in three languages: `programs/NAME.SUFFIX.jinja`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from site_mirror.pages.blocks import Listing, Programs

FOLDER = Path(__file__).parent / "programs"
PROGRAM_LANGUAGES = {
    "sh": ("curl", "shell"),
    "py": ("Python", "python"),
    "mjs": ("JavaScript", "javascript"),
}
"""The language of a program by its suffix: its name, and its name for syntax highlighting."""
ENVIRONMENT = Environment(  # noqa: S701
    loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True
)
"""The environment for programs, which are not HTML: their block escapes them."""
EXAMPLES = orjson.loads((FOLDER / "examples.json").read_bytes())
"""Examples: names, and titles and texts in each language. `NAME.txt.jinja` is their output."""


def programs(name: str, values: Mapping[str, Any]) -> Programs:
    listings = [
        Listing(label, language, render_program(f"{name}.{suffix}", values))
        for suffix, (label, language) in PROGRAM_LANGUAGES.items()
    ]
    return Programs(f"program-{name}", listings)


def render_program(name: str, values: Mapping[str, Any]) -> str:
    return ENVIRONMENT.get_template(f"{name}.jinja").render(values)
