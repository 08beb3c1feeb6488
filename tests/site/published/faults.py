"""How faults on many pages are told: each once, with the places where it is."""

from collections.abc import Iterable, Mapping

import pytest

PLACES = 5
"""Places of one fault that are named."""


def none_in(found: Mapping[str, Iterable[str]]) -> None:
    """Fail with every fault of any place; nothing found is what is wanted."""
    places: dict[str, list[str]] = {}
    for place, faults in found.items():
        for fault in dict.fromkeys(faults):
            places.setdefault(fault, []).append(place)
    if places:
        pytest.fail("\n".join(told(fault, at) for fault, at in places.items()), pytrace=False)


def told(fault: str, places: list[str]) -> str:
    more = f" and {len(places) - PLACES} more" if len(places) > PLACES else ""
    return f"{fault}\n    in {', '.join(places[:PLACES])}{more}"
