"""Values in a sentence, short enough to be read."""

from typing import Any

import orjson

MOST = 80
"""Characters of a value that are shown."""
BEFORE = 20
"""Characters that two long texts share, and that are shown before they differ."""


def was_and_is(was: Any, now: Any) -> str:
    """`was “A”, is “B”`; of long texts the part where they differ."""
    start = 0
    if isinstance(was, str) and isinstance(now, str) and max(len(was), len(now)) > MOST:
        start = max(0, agreeing(was, now) - BEFORE)
    return f"was {quoted(was, start)}, is {quoted(now, start)}"


def agreeing(was: str, now: str) -> int:
    """How many characters two texts begin with alike."""
    shorter = min(len(was), len(now))
    return next((at for at in range(shorter) if was[at] != now[at]), shorter)


def quoted(value: Any, start: int = 0) -> str:
    if isinstance(value, str):
        return f"“{'…' if start else ''}{shortened(value[start:])}”"
    return shortened(orjson.dumps(value).decode())


def shortened(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"
