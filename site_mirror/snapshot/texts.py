"""What differs between two texts, line by line, in words."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, zip_longest

from site_mirror.snapshot.quoting import quoted, was_and_is

MOST_LINES = 2_000
"""Lines that are compared one by one; beyond them only their number is told."""
MOST_CHANGES = 20


def changed_lines(was: str, now: str) -> Iterator[str]:
    """A phrase for each line that differs, and for the rest how many more there are."""
    start, old, new = middles(was.splitlines(), now.splitlines())
    if max(len(old), len(new)) > MOST_LINES:
        yield f"{len(old)} lines from line {start + 1} on are now {len(new)} other lines"
        return
    changes = compared(old, new, start + 1)
    yield from islice(changes, MOST_CHANGES)
    more = sum(1 for _ in changes)
    if more:
        yield f"{more} more lines changed"


def middles(was: list[str], now: list[str]) -> tuple[int, list[str], list[str]]:
    """How many lines are the same at the beginning, and what is left of both but for the end."""
    shorter = min(len(was), len(now))
    start = next((at for at in range(shorter) if was[at] != now[at]), shorter)
    end = next(
        (at for at in range(shorter - start) if was[-1 - at] != now[-1 - at]), shorter - start
    )
    return start, was[start : len(was) - end], now[start : len(now) - end]


def compared(was: list[str], now: list[str], first: int) -> Iterator[str]:
    """Phrases; `first` is the number of the first line, and lines are counted as they are now."""
    matcher = SequenceMatcher(a=was, b=now, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind != "equal":
            pairs = zip_longest(was[i1:i2], now[j1:j2])
            for number, (old, new) in enumerate(pairs, first + j1):
                yield f"line {number} {told(old, new)}"


def told(old: str | None, new: str | None) -> str:
    if old is None:
        return f"is new: {quoted(new)}"
    return f"is gone: {quoted(old)}" if new is None else was_and_is(old, new)
