"""How long a text takes to read."""

import math
import re
from functools import lru_cache

WORDS_A_MINUTE = 220

_FENCED_CODE = re.compile(
    r"^[ \t]*(`{3,}+|~{3,}+)[^\n`]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
FENCE_MARKS = "`~"
# What `_WORD` finds in ASCII, sooner: what joins words goes, all letters are one, and what parts
# words is a blank.
_JOINS = b"'-"
_LETTERS = bytes(
    ord("a") if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)
).ljust(256)
_WORD = re.compile(r"\w[\w'’-]*")


def has_fence(markdown: str) -> bool:
    """Whether there may be fenced code; most texts have not even one of its marks."""
    return any(mark in markdown and mark * 3 in markdown for mark in FENCE_MARKS)


@lru_cache(maxsize=64)
def count_words(markdown: str) -> int:
    """Words of prose; fenced code is looked at, not read."""
    text = _FENCED_CODE.sub("", markdown) if has_fence(markdown) else markdown
    if text.isascii():
        return f" {text}".encode().translate(_LETTERS, _JOINS).count(b" a")
    return len(_WORD.findall(text))


def read_minutes(markdown: str) -> int:
    """Whole minutes at 220 words a minute, at least one."""
    return max(1, math.ceil(count_words(markdown) / WORDS_A_MINUTE))
