"""What every document is a function of, beside its own rows. No framework is imported here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from catalogue.addresses import Site

if TYPE_CHECKING:
    from site_mirror.pages.frame import Frame


@dataclass(frozen=True, eq=False)
class Context:
    """The site at a moment.

    `lifecycle` are the headers that announce the end of the API's version; `frames` are what
    surrounds the pages of each language.
    """

    site: Site
    at: datetime
    lifecycle: Mapping[str, str]
    frames: "Mapping[str, Frame]"
