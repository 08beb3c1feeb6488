"""A page as HTML."""

from functools import cache
from typing import Any

from django.template import engines
from jinja2 import Template

from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page


def write(frame: Frame, page: Page) -> bytes:
    """The page as HTML, UTF-8. Its language must be the active one."""
    site, listed = frame.site, page.listed
    twins = [listed.address, listed.twin] if listed.in_english else [listed.twin, listed.address]
    text = template("page.html").render(
        frame=frame,
        page=page,
        canonical=site.url(listed.address),
        alternates=[site.url(address) for address in twins if address] if listed.twin else [],
    )
    return text.encode()


@cache
def template(name: str) -> Template:
    """A compiled template of the backend that the settings call `pages`."""
    backend: Any = engines["pages"]
    found: Template = backend.env.get_template(name)
    return found
