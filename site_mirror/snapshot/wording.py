"""Quote values in sentences, and shorten long ones."""

from typing import Any

import orjson

MAX_VALUE_CHARACTERS = 80
"""Characters of a value that are shown."""
CONTEXT_CHARACTERS = 20
"""Characters that are shown before the first difference between two long texts."""


def describe_change(was: Any, now: Any) -> str:
    """Return `was “A”, is “B”`; of long texts, the part where they differ."""
    start = 0
    if (
        isinstance(was, str)
        and isinstance(now, str)
        and max(len(was), len(now)) > MAX_VALUE_CHARACTERS
    ):
        start = max(0, common_prefix_length(was, now) - CONTEXT_CHARACTERS)
    return f"was {quote_value(was, start)}, is {quote_value(now, start)}"


def common_prefix_length(was: str, now: str) -> int:
    """Return the number of equal characters at the start of two texts."""
    shorter = min(len(was), len(now))
    return next((at for at in range(shorter) if was[at] != now[at]), shorter)


def quote_value(value: Any, start: int = 0) -> str:
    if isinstance(value, str):
        return f"“{'…' if start else ''}{truncate_text(value[start:])}”"
    return truncate_text(orjson.dumps(value).decode())


def truncate_text(text: str) -> str:
    return text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[: MAX_VALUE_CHARACTERS - 1]}…"
