"""How long a text takes to read."""

import math
import re
from functools import lru_cache

WORDS_A_MINUTE = 220

_FENCED_CODE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"\w[\w'’-]*")


@lru_cache(maxsize=64)
def count_words(markdown: str) -> int:
    """Words of prose; fenced code is looked at, not read."""
    return len(_WORD.findall(_FENCED_CODE.sub("", markdown)))


def read_minutes(markdown: str) -> int:
    """Whole minutes at 220 words a minute, at least one."""
    return max(1, math.ceil(count_words(markdown) / WORDS_A_MINUTE))
