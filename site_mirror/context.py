"""What every document is a function of, beside its own rows. No framework is imported here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from catalogue.addresses import Site


@dataclass(frozen=True, eq=False)
class Context:
    """The site at a moment.

    `lifecycle` are the headers that announce the end of the API's version; `frames` have what
    surrounds the pages of each language (`site_mirror.pages.frame.Frame`).
    """

    site: Site
    at: datetime
    lifecycle: Mapping[str, str]
    frames: Mapping[str, Any]
