"""Markdown as editors write it: CommonMark with tables, footnotes and formulas.

The one place that knows the Markdown library. Raw HTML is never passed through.
"""

import html
import re
from collections.abc import Callable
from functools import lru_cache
from xml.etree import ElementTree as ET

from comrak import ExtensionOptions, RenderOptions, render_markdown
from latex2mathml.converter import convert_to_element

_NOT_MATHS = {"href", "style", "class"}
_REFERENCE = re.compile(r"&amp;(#x[0-9A-Fa-f]+|#[0-9]+|lt|gt|amp);")
_FORMULA = re.compile(r'<span data-math-style="(inline|display)">(.*?)</span>', re.DOTALL)


class BrokenFormula(ValueError):
    """A formula that is not LaTeX."""

    def __init__(self, latex: str) -> None:
        super().__init__(f"The formula “{latex}” cannot be read as LaTeX.")


def extensions(rewrite_link: Callable[[str], str] | None = None) -> ExtensionOptions:
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    options.header_id_prefix = ""
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
        options.image_url_rewriter = rewrite_link
    return options


def to_html(markdown: str) -> str:
    """HTML of a text, its formulas as MathML."""
    return _FORMULA.sub(_formula, render_markdown(markdown, extensions()))


def link_targets(markdown: str) -> list[str]:
    """Every link's and image's target in the order of the text, the unsafe ones too."""
    targets: list[str] = []

    def note(target: str) -> str:
        targets.append(target)
        return target

    options = RenderOptions()
    options.unsafe_ = True
    render_markdown(markdown, extensions(note), render_options=options)
    return targets


def has_title(markdown: str) -> bool:
    """Whether a text has a heading of the first level, which is the page's own."""
    return "<h1" in render_markdown(markdown, extensions())


def formulas(markdown: str) -> list[str]:
    """The LaTeX of every formula, in the order of the text."""
    return [_latex(found) for found in _FORMULA.finditer(render_markdown(markdown, extensions()))]


@lru_cache(maxsize=4096)
def formula_html(latex: str, style: str = "inline") -> str:
    """MathML of one formula; `style` is `inline` or `display`.

    The library writes its symbols as character references and leaves all of them to be
    unescaped together; only the references may be, or a text in a formula would be HTML.
    """
    try:
        tree = convert_to_element(latex, display="block" if style == "display" else "inline")
    except Exception as error:  # the library's errors have no base of their own
        raise BrokenFormula(latex) from error
    for element in tree.iter():
        for name in _NOT_MATHS & element.attrib.keys():
            del element.attrib[name]
    return _REFERENCE.sub(r"&\1;", ET.tostring(tree, encoding="unicode"))


def _latex(found: re.Match[str]) -> str:
    return html.unescape(found[2]).strip()


def _formula(found: re.Match[str]) -> str:
    return formula_html(_latex(found), found[1])
