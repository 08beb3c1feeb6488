"""Conversion of formulas from LaTeX to MathML Core without inline styles."""

import html
import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

from catalogue.texts import limits
from catalogue.texts.localized import VIETNAMESE
from catalogue.texts.markdown.labels import LABELS

ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mphantom", "mpadded"),
    *("mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"),
    *("mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd"),
}
ATTRIBUTES = {
    *("accent", "accentunder", "display", "form", "largeop", "linethickness", "mathvariant"),
    *("maxsize", "minsize", "movablelimits", "stretchy", "symmetric"),
    *("depth", "height", "lspace", "rspace", "voffset", "width"),
}
# The inline styles of the library, which the Content-Security-Policy forbids, and their classes.
STYLE_CLASSES = {
    "text-align: left": "left",
    "text-align: right": "right",
    "justify-items: start": "",
    "justify-items: end": "",
    "padding-left: 0": "close-left",
    "padding-right: 0": "close-right",
    "padding-left:1em": "apart",
}
DISPLAY_STYLE_CLASSES = {"true": "displaystyle", "false": "textstyle"}
# Combining characters are replaced, because they begin an element and have nothing to combine with.
# Fonts have spacing characters for these accents; only combining lines and hats can be stretched.
_ACCENTS = {"\u20d7": "→", "\u20db": "...", "\u20dc": "...."}

_ACCENT = re.compile(f">([{''.join(_ACCENTS)}])<")
_NAMED = re.compile(r"&(?!lt;|gt;|amp;|quot;)[A-Za-z]+;")
_MATHML_TAG = re.compile(r"<([a-z]+)([^<>]*?)(/?)>")
_ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
_POSITION = re.compile(r"^\d+: ")
# The library recurses for each of these signs on the stack of the thread, so their number limits
# the depth of the recursion.
_SIGN = re.compile(r"\\(?:[a-zA-Z]+|.)|[{\[^_]", re.DOTALL)
# Definitions are refused, because with them a few signs can nest deeply.
_DEFINITION = re.compile(r"\\(?:[a-zA-Z]*command|[a-z]?def|let)(?![a-zA-Z])")

NOT_SHOWN = "not-shown"
"""The CSS class of the message, by which a gate finds it. A text cannot set a class."""
MAX_QUOTED_CHARACTERS = 40
"""Characters of a formula that an error message quotes."""

TOO_LONG = "it has %(found)s characters; at most %(allowed)s are allowed."
TOO_DEEP = "it has %(found)s commands, brackets and scripts; at most %(allowed)s are allowed."

_converter = LatexToMathML(fancy_error=False)


class BrokenFormula(ValueError):
    """A formula that is not LaTeX, or that MathML Core without inline styles cannot show."""

    def __init__(self, latex: str, reason: str, **values: str | int) -> None:
        is_short = len(latex) <= MAX_QUOTED_CHARACTERS
        self.latex = latex if is_short else f"{latex[:MAX_QUOTED_CHARACTERS]}…"
        self.reason, self.values = reason, values
        words = {
            name: f"{each:,}" if isinstance(each, int) else each for name, each in values.items()
        }
        shown = reason % words if words else reason
        super().__init__(f"The formula “{self.latex}” cannot be read as LaTeX: {shown}")

    def message_in(self, language: str) -> str:
        if language == VIETNAMESE:
            return f"Không đọc được công thức “{self.latex}” theo cú pháp LaTeX."
        return str(self)


@lru_cache(maxsize=2048)
def formula_html(latex: str, style: str = "inline") -> str:
    """Convert a formula to MathML; `style` is `inline` or `display`. Its `alttext` is the LaTeX.

    Raises `BrokenFormula`.
    """
    check_formula(latex)
    try:
        tree = _converter.convert_with_local_state(latex, displaystyle=style == "display")
        tree = _MATHML_TAG.sub(_clean_tag, tree)
    except LatexError as error:
        raise BrokenFormula(latex, _POSITION.sub("", str(error))) from error
    except KeyError as error:
        reason = "a page cannot show what it asks for (%(part)s)."
        raise BrokenFormula(latex, reason, part=error.args[0]) from error
    tree = _NAMED.sub(lambda name: html.unescape(name[0]), tree)
    tree = _ACCENT.sub(lambda accent: f">{_ACCENTS[accent[1]]}<", tree)
    return tree.replace("<math", f'<math alttext="{html.escape(latex)}"', 1)


def formula_or_reason(latex: str, language: str, style: str = "inline") -> str:
    """Return MathML of a formula, or the error message if a page cannot show it."""
    try:
        return formula_html(latex, style)
    except BrokenFormula as error:
        reason = f"{LABELS[language].not_shown} {error.message_in(language)}"
        return f'<span class="{NOT_SHOWN}">{html.escape(reason)}</span>'


def check_formula(latex: str) -> None:
    """Refuse a formula that the library must not convert, because it is too long or deep."""
    if not latex.strip():
        raise BrokenFormula(latex, "it is empty.")
    refuse_more(latex, TOO_LONG, len(latex), limits.FORMULA_LENGTH)
    signs = len(_SIGN.findall(latex))
    refuse_more(latex, TOO_DEEP, signs, limits.FORMULA_SIGNS)
    if definition := _DEFINITION.search(latex):
        reason = "it defines a command (%(command)s); write it out."
        raise BrokenFormula(latex, reason, command=definition[0])


def refuse_more(latex: str, reason: str, found: int, allowed: int) -> None:
    if found > allowed:
        raise BrokenFormula(latex, reason, found=found, allowed=allowed)


def _clean_tag(tag: re.Match[str]) -> str:
    """Return a tag with the attributes of MathML Core only, and its styles as classes."""
    name, attributes, end = tag.groups()
    if name not in ELEMENTS:
        raise KeyError(name)
    kept, classes = [], []
    for attribute, value in _ATTRIBUTE.findall(attributes):
        if attribute == "style":
            classes += [STYLE_CLASSES[each.strip()] for each in value.split(";") if each.strip()]
        elif attribute in ATTRIBUTES or (name, attribute) == ("mtable", "displaystyle"):
            kept.append(f' {attribute}="{value}"')
        elif attribute == "displaystyle":
            classes.append(DISPLAY_STYLE_CLASSES[value])
        elif attribute != "scriptlevel":
            raise KeyError(attribute)
    if any(classes):
        kept.append(f' class="{" ".join(filter(None, classes))}"')
    return f"<{name}{''.join(kept)}{end}>"
