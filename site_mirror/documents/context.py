"""The site at a moment: the arguments of every renderer beside a document's own rows."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from catalogue.addresses import Site

if TYPE_CHECKING:
    from catalogue.todays_links import TodaysLinks


class Context(Struct, frozen=True, eq=False):
    """The site at a moment.

    `frames` are the surroundings of pages in each language (`site_mirror.pages.frame.Frame`). In a
    freeze, `lifecycle` are the headers that announce the end of the API's version, `transport`
    those of every response of a site that is published over https, and `next_due` is when
    scheduled content will be published.
    """

    site: Site
    at: datetime
    frames: Mapping[str, Any]
    lifecycle: Mapping[str, str] = {}
    transport: Mapping[str, str] = {}
    next_due: datetime | None = None


@lru_cache(maxsize=1)
def todays_links(context: Context) -> "TodaysLinks":
    """Return the links of a context, which a freeze asks for again and again."""
    from catalogue.todays_links import read_todays_links  # noqa: PLC0415  (the engine imports no framework)

    return read_todays_links(context.site, context.at)
