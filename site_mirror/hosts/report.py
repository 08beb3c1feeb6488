"""The report of parity, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from site_mirror.hosts.parity import Parity

MAX_DIFFERENCES_IN_TEXT = 100
"""Further differences are only in the JSON."""


def parity_sentences(parity: Parity) -> Iterator[str]:
    differences = parity.differences
    for check in differences[:MAX_DIFFERENCES_IN_TEXT]:
        yield f"{check.request}: {check.fault}."
    if len(differences) > MAX_DIFFERENCES_IN_TEXT:
        yield f"… and {len(differences) - MAX_DIFFERENCES_IN_TEXT} more (all of them with --json)."
    for capability in parity.understated:
        reason = parity.cannot[capability]
        yield f"Declared as impossible ({reason}), and done: {capability.value}."
    for capability, reason in parity.cannot.items():
        yield f"Not compared: {capability.value} ({reason})."
    for capability in parity.unasked:
        yield f"Nothing to check: {capability.value}."
    verdict = "Parity" if parity.holds else "No parity"
    yield (
        f"{verdict}: {parity.requests} requests, {parity.counts.total()} comparisons, "
        f"{len(differences)} differences."
    )


def parity_members(parity: Parity) -> dict[str, Any]:
    return {
        "parity": parity.holds,
        "requests": parity.requests,
        "comparisons": parity.counts.total(),
        "differences": [
            {
                "method": check.request.method,
                "address": check.request.address,
                "headers": dict(check.request.headers),
                "needs": sorted(capability.label for capability in check.needs),
                "difference": check.fault,
            }
            for check in parity.differences
        ],
        "excused": {capability.label: reason for capability, reason in parity.cannot.items()},
        "understated": [capability.label for capability in parity.understated],
        "unasked": [capability.label for capability in parity.unasked],
    }
