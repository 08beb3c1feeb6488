"""The documents that a freeze has built, from which it makes lists."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct


class Built(Struct, frozen=True):
    """The documents that were built so far.

    `public` is the public folder. `items` has, by family, documents as encoded items of lists.
    """

    public: Path
    items: Mapping[str, Sequence[bytes]]
