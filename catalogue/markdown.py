"""Markdown as editors write it: CommonMark with tables, footnotes and formulas.

The one place that knows the Markdown library. Raw HTML is never passed through.
"""

import html
import re
from collections.abc import Callable

from comrak import ExtensionOptions, RenderOptions, render_markdown
from latex2mathml.converter import convert as mathml

_FORMULA = re.compile(r'<span data-math-style="(inline|display)">(.*?)</span>', re.DOTALL)


def extensions(rewrite_link: Callable[[str], str] | None = None) -> ExtensionOptions:
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    options.header_id_prefix = ""
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
    return options


def to_html(markdown: str) -> str:
    """HTML of a text, its formulas as MathML."""
    return _FORMULA.sub(_formula, render_markdown(markdown, extensions()))


def link_targets(markdown: str) -> list[str]:
    """Every link's target in the order of the text, the unsafe ones too."""
    targets: list[str] = []

    def note(target: str) -> str:
        targets.append(target)
        return target

    options = RenderOptions()
    options.unsafe_ = True
    render_markdown(markdown, extensions(note), render_options=options)
    return targets


def formula_html(latex: str, style: str = "inline") -> str:
    """MathML of one formula; `style` is `inline` or `display`."""
    return str(mathml(latex, display="block" if style == "display" else "inline"))


def _formula(found: re.Match[str]) -> str:
    return formula_html(html.unescape(found[2]).strip(), found[1])
