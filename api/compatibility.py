"""Judge whether the version of a new contract announces its changes to clients.

An addition needs a new minor version, any other change a new major one. Descriptions and examples
may change freely.
"""

from collections.abc import Iterator
from typing import Any

TEXTS = frozenset({"description", "summary", "example", "externalDocs", "servers", "tags", "info"})
"""Members on which no client relies."""


Change = tuple[str, bool]
"""A difference at one place of the contract, in words, and whether it is an addition."""


def find_version_faults(was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each change that the version of the contract does not announce."""
    before, version = was["info"]["version"], now["info"]["version"]
    old, new = version_numbers(before), version_numbers(version)
    if new < old:
        yield f"the contract was {before} and is {version}, which is older"
        return
    for words, is_addition in find_changes(was, now):
        parts = 2 if is_addition else 1
        if new[:parts] <= old[:parts]:
            needed = f"{old[0]}.{old[1] + 1}.0" if is_addition else f"{old[0] + 1}.0.0"
            yield f"{words}: that takes apiVersion {needed}, and it is {version}"


def version_numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def find_changes(was: Any, now: Any, place: str = "") -> Iterator[Change]:
    """Yield the differences of two contracts, or of two of their parts at the same place."""
    if isinstance(was, dict) and isinstance(now, dict):
        # The members of an object may have the names of texts, such as `description`.
        texts = frozenset() if place.endswith(".properties") else TEXTS
        for name in sorted((was.keys() | now.keys()) - texts):
            inside = f"{place}.{name}".removeprefix(".")
            if name not in now:
                yield f"{inside} is gone", False
            elif name not in was:
                yield f"{inside} is new", True
            else:
                yield from find_changes(was[name], now[name], inside)
    elif place.endswith(".required") and isinstance(was, list):
        for name in sorted({*was} ^ {*now}):
            words = "is now required" if name in now else "is no longer required"
            yield f"{place}.{name} {words}", name in now
    elif was != now:
        yield f"{place} was {was} and is {now}", False
