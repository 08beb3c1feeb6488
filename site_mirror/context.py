"""What every document is a function of, beside its own rows. No framework is imported here."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from catalogue.addresses import Site


class Making(Struct):
    """What a freeze has at hand: the folder of what is served, once there is one, and the outline
    of the OpenAPI document (`api.outline`).
    """

    public: Path | None = None
    outline: bytes | None = None


class Context(Struct, frozen=True, eq=False):
    """The site at a moment.

    `lifecycle` are the headers that announce the end of the API's version, `transport` those that
    every response of a site has that is published over https; `frames` have what
    surrounds the pages of each language (`site_mirror.pages.frame.Frame`), and `making` what is
    there already.
    """

    site: Site
    at: datetime
    lifecycle: Mapping[str, str]
    frames: Mapping[str, Any]
    transport: Mapping[str, str] = {}
    making: Making = field(default_factory=Making)
