"""The site at a moment: the arguments of every renderer beside a document's own rows."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from catalogue.addresses import Site


class Context(Struct, frozen=True, eq=False):
    """The site at a moment.

    `lifecycle` are the headers that announce the end of the API's version, `transport` those of
    every response of a site that is published over https. `frames` are the surroundings of pages in
    each language (`site_mirror.pages.frame.Frame`).
    """

    site: Site
    at: datetime
    lifecycle: Mapping[str, str]
    frames: Mapping[str, Any]
    transport: Mapping[str, str] = {}
