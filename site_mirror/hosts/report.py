"""What a run found, in words and as JSON."""

from collections.abc import Iterator
from typing import Any

from site_mirror.hosts.parity import Parity

SHOWN = 100
"""Differences that are told in words; the JSON has all."""


def in_words(parity: Parity) -> str:
    return "\n".join(sentences(parity))


def sentences(parity: Parity) -> Iterator[str]:
    differences = parity.differences
    for check in differences[:SHOWN]:
        yield f"{check.request}: {check.fault}."
    if len(differences) > SHOWN:
        yield f"… and {len(differences) - SHOWN} more (all of them with --json)."
    for ability in parity.understated:
        reason = parity.cannot[ability]
        yield f"Declared as impossible ({reason}), and done: {ability.value}."
    for ability, reason in parity.cannot.items():
        yield f"Not held to: {ability.value} ({reason})."
    for ability in parity.unasked:
        yield f"Nothing to check: {ability.value}."
    verdict = "Parity" if parity.holds else "No parity"
    yield (
        f"{verdict}: {parity.requests} requests, {parity.compared} comparisons, "
        f"{len(differences)} differences."
    )


def members(parity: Parity) -> dict[str, Any]:
    return {
        "parity": parity.holds,
        "requests": parity.requests,
        "comparisons": parity.compared,
        "checked": {ability.label: count for ability, count in parity.checked.items()},
        "differences": [
            {
                "method": check.request.method,
                "address": check.request.address,
                "headers": dict(check.request.headers),
                "needs": sorted(ability.label for ability in check.needs),
                "difference": check.fault,
            }
            for check in parity.differences
        ],
        "excused": {ability.label: reason for ability, reason in parity.cannot.items()},
        "understated": [ability.label for ability in parity.understated],
        "unasked": [ability.label for ability in parity.unasked],
    }
