"""Words in formulas: two signs of money in a sentence are read as the ends of a formula."""

import re

from msgspec import Struct

from catalogue.texts.markdown.source import written_formulas

# The words that a formula may hold: arguments of `\text` and its like, indices, names of commands.
_SPELT = re.compile(
    r"\\(?:text|math|operatorname|mbox|begin|end|color|tag)[a-zA-Z]*\*?\s*\{[^{}]*\}"
    r"|[_^]\s*\{[^{}]*\}|\\[a-zA-Z]+"
)
# Letters with marks are in words alone. Capitals are points, and three letters or fewer a product,
# such as `mgh`, unless they stand between spaces, two of them in front of a number: `, ba 10`.
_WORDS = re.compile(
    r"[A-Za-z]*[^\W\d_A-Za-z\u0370-\u03ff][^\W\d_]*|[A-Za-z][a-z]{3,}"
    r"|(?<=[\w,.;:!?)] )(?:[A-Za-z][a-z]{2}(?= \w)|[a-z]{2}(?= \(?\d))"
)


HOLDS_WORDS = (
    "Line %(line)s: the formula $%(latex)s$ holds words (%(words)s). A dollar sign that is not a "
    r"formula's is written \$, and words of a formula stand in \text{…}."
)


class FormulaWarning(Struct, frozen=True):
    """A formula that holds words; `line` is counted from 1."""

    line: int
    latex: str
    words: tuple[str, ...]

    @property
    def values(self) -> dict[str, object]:
        words = " ".join(self.words[:5])
        return {"line": self.line, "latex": self.latex[:60], "words": words}

    def __str__(self) -> str:
        return HOLDS_WORDS % self.values


def formula_warnings(markdown: str) -> list[FormulaWarning]:
    """Return the formulas of a text that hold words, which they show letter by letter."""
    return [
        FormulaWarning(line, latex, words)
        for line, latex in written_formulas(markdown)
        if (words := tuple(_WORDS.findall(_SPELT.sub(" ", latex))))
    ]
