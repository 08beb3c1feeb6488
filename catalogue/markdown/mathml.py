"""Conversion of formulas from LaTeX to MathML Core without inline styles."""

import html
import re

from math_core import LatexError, LatexToMathML

from catalogue import limits
from catalogue.bounded_caches import MEGABYTE, cache_within_budget
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

_converter = LatexToMathML(fancy_error=False)


class BrokenFormula(ValueError):
    """A formula that is not LaTeX, or that MathML Core without inline styles cannot show."""

    def __init__(self, latex: str, reason: str) -> None:
        self.latex = limits.shorten_formula(latex)
        super().__init__(f"The formula “{self.latex}” cannot be read as LaTeX: {reason}")

    def message_in(self, language: str) -> str:
        """Return the error message in a language of the site."""
        if language == VIETNAMESE:
            return f"Không đọc được công thức “{self.latex}” theo cú pháp LaTeX."
        return str(self)


@cache_within_budget(8 * MEGABYTE)
def formula_html(latex: str, style: str = "inline") -> str:
    """Convert a formula to MathML; `style` is `inline` or `display`. Its `alttext` is the LaTeX.

    Raises `BrokenFormula` and `LimitExceeded`.
    """
    check_formula(latex)
    try:
        tree = _converter.convert_with_local_state(latex, displaystyle=style == "display")
        tree = _MATHML_TAG.sub(_clean_tag, tree)
    except LatexError as error:
        raise BrokenFormula(latex, _POSITION.sub("", str(error))) from error
    except KeyError as error:
        reason = f"a page cannot show what it asks for ({error.args[0]})."
        raise BrokenFormula(latex, reason) from error
    tree = _NAMED.sub(lambda name: html.unescape(name[0]), tree)
    tree = _ACCENT.sub(lambda accent: f">{_ACCENTS[accent[1]]}<", tree)
    return tree.replace("<math", f'<math alttext="{html.escape(latex)}"', 1)


def check_formula(latex: str) -> None:
    """Refuse a formula that the library must not convert, because it is too long or deep."""
    if not latex.strip():
        raise BrokenFormula(latex, "it is empty.")
    beginning = limits.shorten_formula(latex)
    limits.check_limit(limits.FORMULA_LENGTH, len(latex), beginning)
    limits.check_limit(limits.FORMULA_SIGNS, len(_SIGN.findall(latex)), beginning)
    if definition := _DEFINITION.search(latex):
        raise BrokenFormula(latex, f"it defines a command ({definition[0]}); write it out.")


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
