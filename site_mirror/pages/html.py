"""Write pages as HTML."""

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


def write_html(frame: Frame, page: PageContent) -> bytes:
    """Return the page as HTML, UTF-8. Its language must be the active one."""
    trail = [describe_trail(frame, page.trail, page.page_summary)] if page.trail else []
    text = get_template("page.html").render(
        frame=frame,
        page=page,
        data=[*page.data, *trail],
        page_summary=page.page_summary,
        description=describe(page.page_summary.summary, frame.studio),
        canonical=frame.site.url(page.page_summary.address),
        head=render_fragment("head.html", frame),
        navigation=render_fragment("navigation.html", frame, page.site_part),
        footer=render_fragment("footer.html", frame),
        blocks=Markup().join(render_block(frame, block) for block in page.blocks),
    )
    return text.encode()


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
def render_fragment(name: str, frame: Frame, site_part: str = "") -> Markup:
    """Return HTML that all pages share that have the same frame and are in one part of the site."""
    return Markup(get_template(name).render(frame=frame, site_part=site_part))  # noqa: S704 - is a template


@cache
def get_template(name: str) -> Template:
    """Return a compiled template of the backend that the settings call `pages`."""
    backend: Any = engines["pages"]
    template: Template = backend.env.get_template(name)
    return template


def render_block(frame: Frame, block: Block) -> Markup:
    html = get_template(block.template).render(frame=frame, block=block, level=FIRST_LEVEL)
    return Markup(html)  # noqa: S704 - is a template
