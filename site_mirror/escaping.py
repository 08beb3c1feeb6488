"""Plain text as Markdown that reads the same. No framework is imported here."""

import re

from catalogue.budgets import remembered_if_short

SPECIAL = re.compile(
    r"""(?x)
    [\\`*_\[\]<>|$~]              # what is Markdown anywhere
    | & (?= \#? \w+ ; )            # an entity
    | (?<= \ ) (?= \#+ $ )         # what would close a heading
    | ^ [ \t]* (?= [-+\#=] )       # what begins a block at the start of a line
    | (?P<number> ^ [ \t]* \d{1,9} ) (?= [.)] (\s | $) )
    """,
    re.MULTILINE,
)

# Most texts have nothing special: they have none of these, which is found out sooner.
MARK = re.compile(r"[\\`*_\[\]<>|$~&#]")
OPENING = re.compile(r"^[ \t]*([-+=]|\d+[.)])", re.MULTILINE)


@remembered_if_short
def plain(text: str) -> str:
    """Plain text as Markdown that reads the same."""
    return SPECIAL.sub(escaped, text) if MARK.search(text) or OPENING.search(text) else text


def escaped(found: re.Match[str]) -> str:
    if found["number"] or found[0].isspace():
        return f"{found[0]}\\"
    return f"\\{found[0]}"
