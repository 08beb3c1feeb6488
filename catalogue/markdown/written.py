"""The links of a Markdown text as they are written, each with its line."""

import html
import re

from comrak import render_markdown
from msgspec import Struct

from catalogue.markdown.source import extensions, rendering

_LINK = re.compile(
    r'<(a|img) data-sourcepos="(\d+):(\d+)-(\d+):(\d+)" (?:href|src)="([^"]*)"', re.DOTALL
)


class WrittenLink(Struct, frozen=True):
    """A link or an image: its first line, counted from 1, its source and its target."""

    line: int
    source: str
    target: str
    image: bool


def written_links(markdown: str) -> list[WrittenLink]:
    """Every link and image in the order of the page.

    A link whose target is defined elsewhere in the text has the line on which it is used.
    """
    options = rendering(unsafe=True, lines=True)
    lines = markdown.encode().split(b"\n")
    page = render_markdown(markdown, extensions(), render_options=options)
    return [
        WrittenLink(
            int(found[2]),
            source(lines, *map(int, found.groups()[1:5])),
            html.unescape(found[6]),
            found[1] == "img",
        )
        for found in _LINK.finditer(page)
    ]


def source(lines: list[bytes], line: int, column: int, last: int, end: int) -> str:
    """The text between two positions, in one line; columns are bytes, counted from 1."""
    wanted = lines[line - 1 : last]
    if not wanted:
        return ""
    wanted[-1] = wanted[-1][:end]
    wanted[0] = wanted[0][column - 1 :]
    return " ".join(b" ".join(wanted).decode("utf-8", "replace").split())
