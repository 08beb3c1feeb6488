"""Formulas: LaTeX to MathML Core, without inline styles."""

import html
import re

from math_core import LatexError, LatexToMathML

from catalogue import limits
from catalogue.budgets import MEGABYTE, remembered
from catalogue.localized import VIETNAMESE

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
# What the library writes as a style, and the class that the stylesheet has for it.
CLASSES = {
    "text-align: left": "left",
    "text-align: right": "right",
    "justify-items: start": "",
    "justify-items: end": "",
    "padding-left: 0": "close-left",
    "padding-right: 0": "close-right",
    "padding-left:1em": "apart",
}
STYLES = {"true": "displaystyle", "false": "textstyle"}
# A combining character begins its element, with nothing to combine with. Of these accents fonts
# have a character of its own; only the combining lines and hats can be stretched.
_ACCENTS = {"\u20d7": "→", "\u20db": "...", "\u20dc": "...."}

_ACCENT = re.compile(f">([{''.join(_ACCENTS)}])<")
_NAMED = re.compile(r"&(?!lt;|gt;|amp;|quot;)[A-Za-z]+;")
_TAG = re.compile(r"<([a-z]+)([^<>]*?)(/?)>")
_ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
_POSITION = re.compile(r"^\d+: ")
# The library calls itself for each of these, and its stack is the thread's: a formula has at most
# as many levels as it has such signs, whichever of them nest.
_SIGN = re.compile(r"\\(?:[a-zA-Z]+|.)|[{\[^_]", re.DOTALL)
# A definition could make many levels of a few signs.
_DEFINITION = re.compile(r"\\(?:[a-zA-Z]*command|[a-z]?def|let)(?![a-zA-Z])")

_converter = LatexToMathML(fancy_error=False)


class BrokenFormula(ValueError):
    """A formula that is not LaTeX, or that MathML Core without inline styles cannot show."""

    def __init__(self, latex: str, reason: str) -> None:
        self.latex = limits.shortened(latex)
        super().__init__(f"The formula “{self.latex}” cannot be read as LaTeX: {reason}")

    def said(self, language: str) -> str:
        """The sentence in a language of the site."""
        if language == VIETNAMESE:
            return f"Không đọc được công thức “{self.latex}” theo cú pháp LaTeX."
        return str(self)


@remembered(8 * MEGABYTE)
def formula_html(latex: str, style: str = "inline") -> str:
    """MathML of one formula; `style` is `inline` or `display`. Its `alttext` is the LaTeX.

    Raises `BrokenFormula` and `LimitExceeded`.
    """
    check(latex)
    try:
        tree = _converter.convert_with_local_state(latex, displaystyle=style == "display")
        tree = _TAG.sub(_tag, tree)
    except LatexError as error:
        raise BrokenFormula(latex, _POSITION.sub("", str(error))) from error
    except KeyError as error:
        reason = f"a page cannot show what it asks for ({error.args[0]})."
        raise BrokenFormula(latex, reason) from error
    tree = _NAMED.sub(lambda name: html.unescape(name[0]), tree)
    tree = _ACCENT.sub(lambda accent: f">{_ACCENTS[accent[1]]}<", tree)
    return tree.replace("<math", f'<math alttext="{html.escape(latex)}"', 1)


def check(latex: str) -> None:
    """Refuse what the library must not be asked to convert."""
    if not latex.strip():
        raise BrokenFormula(latex, "it is empty.")
    beginning = limits.shortened(latex)
    limits.check(limits.FORMULA_LENGTH, len(latex), beginning)
    limits.check(limits.FORMULA_SIGNS, len(_SIGN.findall(latex)), beginning)
    if definition := _DEFINITION.search(latex):
        raise BrokenFormula(latex, f"it defines a command ({definition[0]}); write it out.")


def _tag(found: re.Match[str]) -> str:
    """One tag with what MathML Core and its validators know, styles as classes."""
    name, attributes, end = found.groups()
    if name not in ELEMENTS:
        raise KeyError(name)
    kept, classes = [], []
    for attribute, value in _ATTRIBUTE.findall(attributes):
        if attribute == "style":
            classes += [CLASSES[each.strip()] for each in value.split(";") if each.strip()]
        elif attribute in ATTRIBUTES or (name, attribute) == ("mtable", "displaystyle"):
            kept.append(f' {attribute}="{value}"')
        elif attribute == "displaystyle":
            classes.append(STYLES[value])
        elif attribute != "scriptlevel":
            raise KeyError(attribute)
    if any(classes):
        kept.append(f' class="{" ".join(filter(None, classes))}"')
    return f"<{name}{''.join(kept)}{end}>"
