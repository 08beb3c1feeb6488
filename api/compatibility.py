"""Judge whether the version of a new contract announces its changes to clients.

An addition needs a new minor version, any other change a new major one. Descriptions and examples
may change freely.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

TEXTS = frozenset({"description", "summary", "example", "externalDocs", "servers", "tags", "info"})
"""Members on which no client relies."""


class Change(Struct, frozen=True):
    """A difference at one place of the contract, in words."""

    place: str
    words: str
    is_addition: bool = False

    def __str__(self) -> str:
        return f"{self.place} {self.words}"


def find_version_faults(was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each change that the version of the contract does not announce."""
    before, version = was["info"]["version"], now["info"]["version"]
    old, new = version_numbers(before), version_numbers(version)
    if new < old:
        yield f"the contract was {before} and is {version}, which is older"
        return
    for change in find_changes(was, now):
        parts = 2 if change.is_addition else 1
        if new[:parts] <= old[:parts]:
            major, minor, _ = old
            needed = f"{major}.{minor + 1}.0" if change.is_addition else f"{major + 1}.0.0"
            yield f"{change}: that takes apiVersion {needed}, and it is {version}"


def version_numbers(version: str) -> list[int]:
    return [int(part) for part in version.partition("-")[0].split(".")]


def find_changes(was: Any, now: Any, place: str = "") -> Iterator[Change]:
    """Yield the differences of two contracts, or of two of their parts at the same place."""
    if isinstance(was, dict) and isinstance(now, dict):
        # The members of an object may have the names of texts, such as `description`.
        texts = frozenset() if place.endswith(".properties") else TEXTS
        for name in sorted((was.keys() | now.keys()) - texts):
            inside = f"{place}.{name}".removeprefix(".")
            if name not in now:
                yield Change(inside, "is gone")
            elif name not in was:
                yield Change(inside, "is new", is_addition=True)
            else:
                yield from find_changes(was[name], now[name], inside)
    elif place.endswith(".required") and isinstance(was, list) and isinstance(now, list):
        for name in sorted({*was} ^ {*now}):
            words = "is now required" if name in now else "is no longer required"
            yield Change(f"{place}.{name}", words, is_addition=name in now)
    elif was != now:
        yield Change(place, f"was {was} and is {now}")
