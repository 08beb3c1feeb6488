"""The reading time of a text."""

import math
import re
from functools import lru_cache

WORDS_PER_MINUTE = 220

_FENCED_CODE = re.compile(
    r"^[ \t]*(`{3,}+|~{3,}+)[^\n`]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
FENCE_MARKS = "`~"
# For speed, words of ASCII are counted without `_PROSE_WORD`: hyphens and apostrophes are removed,
# letters become `a`, other characters a blank, and a word begins at each ` a`.
_JOINS = b"'-"
_LETTERS = bytes(
    ord("a") if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)
).ljust(256)
_PROSE_WORD = re.compile(r"\w[\w'’-]*")


def has_fence(markdown: str) -> bool:
    """Whether a text may have fenced code; for speed, marks are searched before the pattern is."""
    return any(mark in markdown and mark * 3 in markdown for mark in FENCE_MARKS)


@lru_cache(maxsize=64)
def count_words(markdown: str) -> int:
    """Return the number of words of prose; fenced code does not count."""
    text = _FENCED_CODE.sub("", markdown) if has_fence(markdown) else markdown
    if text.isascii():
        return f" {text}".encode().translate(_LETTERS, _JOINS).count(b" a")
    return len(_PROSE_WORD.findall(text))


def read_minutes(markdown: str) -> int:
    """Return the whole minutes that a text takes at 220 words per minute, at least one."""
    return max(1, math.ceil(count_words(markdown) / WORDS_PER_MINUTE))
