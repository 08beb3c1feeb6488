"""A report of faults on many pages: each fault once, with its places."""

from collections.abc import Iterable, Mapping

import pytest

MAX_PLACES_IN_REPORT = 5


def assert_no_faults(found: Mapping[str, Iterable[str]]) -> None:
    """Fail with a report if any place has a fault."""
    places: dict[str, list[str]] = {}
    for place, faults in found.items():
        for fault in dict.fromkeys(faults):
            places.setdefault(fault, []).append(place)
    if places:
        pytest.fail("\n".join(fault_line(fault, at) for fault, at in places.items()), pytrace=False)


def fault_line(fault: str, places: list[str]) -> str:
    more = (
        f" and {len(places) - MAX_PLACES_IN_REPORT} more"
        if len(places) > MAX_PLACES_IN_REPORT
        else ""
    )
    return f"{fault}\n    in {', '.join(places[:MAX_PLACES_IN_REPORT])}{more}"
