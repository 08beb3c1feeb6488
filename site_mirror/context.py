"""What every document is a function of, beside its own rows. No framework is imported here."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from catalogue.addresses import Site


class Making(Struct):
    """A release in the making: the folder of what is served, once there is one."""

    public: Path | None = None


class Context(Struct, frozen=True, eq=False):
    """The site at a moment.

    `lifecycle` are the headers that announce the end of the API's version; `frames` have what
    surrounds the pages of each language (`site_mirror.pages.frame.Frame`). What is made last in a
    freeze may read what is there already, in `making`. `outline` is the OpenAPI document without
    content (`api.outline`), if it is known.
    """

    site: Site
    at: datetime
    lifecycle: Mapping[str, str]
    frames: Mapping[str, Any]
    making: Making = field(default_factory=Making)
    outline: bytes | None = None
