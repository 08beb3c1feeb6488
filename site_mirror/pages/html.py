"""Write pages as HTML."""

import re
from functools import cache, lru_cache
from textwrap import shorten
from typing import Any

from django.template import engines
from jinja2 import Template
from markupsafe import Markup

from site_mirror.pages.blocks import Block
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import FIRST_LEVEL, PageContent
from site_mirror.pages.structured import describe_trail

MIN_DESCRIPTION, MAX_DESCRIPTION = 50, 165
MIN_CONTENTS = 4
"""The number of sections from which on a page has contents that follow the reader."""
HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')
LINK_TAG = re.compile(r"</?a\b[^>]*>")


def write_html(frame: Frame, page: PageContent) -> bytes:
    """Return the page as HTML, UTF-8. Its language must be the active one."""
    trail = [describe_trail(frame, page.trail, page.page_summary)] if page.trail else []
    blocks = Markup().join(render_block(frame, block) for block in page.blocks)
    current = "page" if page.page_summary.address == page.site_part else "true"
    text = get_template("page.html").render(
        frame=frame,
        page=page,
        data=[*page.data, *trail],
        page_summary=page.page_summary,
        picture_shows=page.page_summary.title if page.picture else frame.studio,
        description=describe(page.page_summary.summary, frame.studio),
        canonical=frame.site.url(page.page_summary.address),
        head=render_fragment("head.html", frame),
        navigation=render_fragment("navigation.html", frame, page.site_part, current),
        footer=render_fragment("footer.html", frame),
        blocks=blocks,
        contents=contents_of(blocks) if page.style != "front" else [],
    )
    return text.encode()


def contents_of(blocks: str) -> list[tuple[str, Markup]]:
    """Return the id and the heading of each section of a page, or nothing if it has only a few."""
    found = HEADING.findall(blocks)
    if len(found) < MIN_CONTENTS:
        return []
    return [(place, Markup(LINK_TAG.sub("", heading))) for place, heading in found]  # noqa: S704 - is HTML


def describe(summary: str, studio: str) -> str:
    """Return a summary of 50 to 165 characters, which search engines show whole."""
    if len(summary) < MIN_DESCRIPTION:
        return f"{summary.removesuffix('.')} · {studio}" if summary else ""
    if len(summary) <= MAX_DESCRIPTION:
        return summary
    end = summary.rfind(". ", 0, MAX_DESCRIPTION) + 1
    if end >= MIN_DESCRIPTION:
        return summary[:end]
    return shorten(summary, MAX_DESCRIPTION, placeholder=" …")


@lru_cache(maxsize=256)
def render_fragment(name: str, frame: Frame, site_part: str = "", current: str = "") -> Markup:
    """Return HTML that all pages share that have the same frame and are in one part of the site.

    `current` says what a page is in its part: `page` for the first one, `true` for all others.
    """
    html = get_template(name).render(frame=frame, site_part=site_part, current=current)
    return Markup(html)  # noqa: S704 - is a template


@cache
def get_template(name: str) -> Template:
    """Return a compiled template of the backend that the settings call `pages`."""
    backend: Any = engines["pages"]
    template: Template = backend.env.get_template(name)
    return template


def render_block(frame: Frame, block: Block) -> Markup:
    html = get_template(block.template).render(frame=frame, block=block, level=FIRST_LEVEL)
    return Markup(html)  # noqa: S704 - is a template
