"""Texts whose references and footnotes stay their own when texts are joined in one file.

In one text of Markdown a label means the same everywhere, so `[1]` of a second article would be
that of the first. The labels get a suffix. Labels are told from code as addresses are in
`absolute`: a mark is inserted into each, and those that are shown are not in labels. Labels are
compared without case, so all marks of a label are equal, and their case tells which one is shown.
"""

import re
from collections.abc import Iterator

from catalogue.texts.markdown.plain import apply_changes, unused_word
from catalogue.texts.markdown.source import read

_LABEL = r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999})\]"
_DEFINITION = re.compile(rf"^[ \t>*+\d.-]*(?P<at>{_LABEL}):", re.MULTILINE | re.DOTALL)
_USE = re.compile(rf"{_LABEL}(?P<empty>\[\])?", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_NOTE_ID = re.compile(r'(?<=["#])fn(?:ref)?-[^"]*')
BITS = 16


def with_unique_labels(markdown: str, suffix: str) -> str | None:
    """Return the text with a suffix at each label; `None` if that would change its meaning."""
    definitions = {match.start("at"): match["label"] for match in _DEFINITION.finditer(markdown)}
    if not definitions:
        return markdown
    defined = {_normalized(label) for label in definitions.values()}
    places = [*_places(markdown, definitions, defined)]
    if len(places) >= 1 << BITS:
        return None
    name = unused_word(markdown)
    marked = _apply(
        markdown, [(*place, name + _word(number)) for number, place in enumerate(places)]
    )
    text = _TAG.sub("", read(marked).html)
    shown = {_number(word) for word in re.findall(rf"{name}([qQ]{{{BITS}}})", text)}
    changes = [(*place, suffix) for number, place in enumerate(places) if number not in shown]
    made = _apply(markdown, changes)
    return made if _meaning(made) == _meaning(markdown) else None


def _places(
    markdown: str, definitions: dict[int, str], defined: set[str]
) -> Iterator[tuple[int, str, str]]:
    """Yield where a suffix may be inserted, and what is inserted before and after it."""
    for use in _USE.finditer(markdown):
        label = use["label"]
        if _normalized(label) not in defined:
            continue
        is_whole = use.start() in definitions or label.startswith("^")
        if is_whole or markdown[use.start() - 1 : use.start()] == "]":
            yield use.end("label"), "", ""
        elif use["empty"]:
            yield use.end() - 1, label, ""
        elif not markdown.startswith(("(", "["), use.end()):
            yield use.end(), f"[{label}", "]"


def _apply(markdown: str, changes: list[tuple[int, str, str, str]]) -> str:
    return apply_changes(
        markdown, ((place, 0, before + suffix + after) for place, before, after, suffix in changes)
    )


def _normalized(label: str) -> str:
    return " ".join(label.split()).casefold()


def _word(number: int) -> str:
    return "".join("Q" if number >> bit & 1 else "q" for bit in range(BITS))


def _number(word: str) -> int:
    return sum(1 << bit for bit, letter in enumerate(word) if letter == "Q")


def _meaning(markdown: str) -> str:
    return _NOTE_ID.sub("", read(markdown).html)
