"""Escape plain text for Markdown. No framework is imported here."""

import re
from functools import lru_cache

SPECIAL_TEXT = re.compile(
    r"""(?x)
    [\\`*_\[\]<>|$~]              # characters that are Markdown anywhere
    | & (?= \#? \w+ ; )            # an entity
    | (?<= \ ) (?= \#+ $ )         # the closing sequence of a heading
    | ^ [ \t]* (?= [-+\#=] )       # the start of a block at the start of a line
    | (?P<number> ^ [ \t]* \d{1,9} ) (?= [.)] (\s | $) )
    """,
    re.MULTILINE,
)

# Most texts need no escaping. A search for these is faster than a substitution.
SPECIAL_CHARACTER = re.compile(r"[\\`*_\[\]<>|$~&#]")
BLOCK_OPENING = re.compile(r"^[ \t]*([-+=]|\d+[.)])", re.MULTILINE)


@lru_cache(maxsize=2048)
def escape_markdown(text: str) -> str:
    """Return Markdown that a reader sees as this plain text."""
    return (
        SPECIAL_TEXT.sub(escape_match, text)
        if SPECIAL_CHARACTER.search(text) or BLOCK_OPENING.search(text)
        else text
    )


def escape_match(match: re.Match[str]) -> str:
    if match["number"] or match[0].isspace():
        return f"{match[0]}\\"
    return f"\\{match[0]}"
