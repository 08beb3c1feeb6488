"""Describe the differences between two texts, line by line."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, zip_longest

from site_mirror.snapshot.wording import describe_change, quote_value

MAX_COMPARED_LINES = 2_000
"""Lines that are compared one by one; of more, only the number is reported."""
MAX_CHANGES_IN_REPORT = 20


def changed_lines(was: str, now: str) -> Iterator[str]:
    """Yield a phrase for each of the first lines that differ, and the number of the others."""
    start, old, new = without_common_ends(was.splitlines(), now.splitlines())
    if max(len(old), len(new)) > MAX_COMPARED_LINES:
        yield f"{len(old)} lines from line {start + 1} on are now {len(new)} other lines"
        return
    changes = compare_lines(old, new, start + 1)
    yield from islice(changes, MAX_CHANGES_IN_REPORT)
    more = sum(1 for _ in changes)
    if more:
        yield f"{more} more lines changed"


def without_common_ends(was: list[str], now: list[str]) -> tuple[int, list[str], list[str]]:
    """Return the number of equal lines at the start, and both texts without equal ends."""
    shorter = min(len(was), len(now))
    start = next((at for at in range(shorter) if was[at] != now[at]), shorter)
    end = next(
        (at for at in range(shorter - start) if was[-1 - at] != now[-1 - at]), shorter - start
    )
    return start, was[start : len(was) - end], now[start : len(now) - end]


def compare_lines(was: list[str], now: list[str], first: int) -> Iterator[str]:
    """Yield phrases with the numbers of lines in the new text, which starts at line `first`."""
    matcher = SequenceMatcher(a=was, b=now, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind != "equal":
            pairs = zip_longest(was[i1:i2], now[j1:j2])
            for number, (old, new) in enumerate(pairs, first + j1):
                yield f"line {number} {describe_line(old, new)}"


def describe_line(old: str | None, new: str | None) -> str:
    if old is None:
        return f"is new: {quote_value(new)}"
    return f"is gone: {quote_value(old)}" if new is None else describe_change(old, new)
