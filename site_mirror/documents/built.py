"""The documents that a freeze has built, from which it makes lists."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct


class Built(Struct, frozen=True):
    """The documents that were built so far.

    `find_file` returns the path of a public file. `items` has, by family, documents as encoded
    items of lists.
    """

    find_file: Callable[[str], Path]
    items: Mapping[str, Sequence[bytes]]
