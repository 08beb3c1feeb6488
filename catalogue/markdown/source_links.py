"""The links of a Markdown text with their source and their line."""

import html
import re

from comrak import render_markdown
from msgspec import Struct

from catalogue.markdown.source import comrak_extensions, comrak_options

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
    """Return every link and image in the order of the page.

    The line of a link with a reference is the line of the link and not of the definition.
    """
    options = comrak_options(unsafe=True, lines=True)
    lines = markdown.encode().split(b"\n")
    page = render_markdown(markdown, comrak_extensions(), render_options=options)
    return [
        WrittenLink(
            int(link[2]),
            source_between(lines, *map(int, link.groups()[1:5])),
            html.unescape(link[6]),
            link[1] == "img",
        )
        for link in _LINK.finditer(page)
    ]


def source_between(lines: list[bytes], line: int, column: int, last: int, end: int) -> str:
    """Return the text between two positions as one line; columns are bytes, counted from 1."""
    part = lines[line - 1 : last]
    if not part:
        return ""
    part[-1] = part[-1][:end]
    part[0] = part[0][column - 1 :]
    return " ".join(b" ".join(part).decode("utf-8", "replace").split())
