"""The Markdown library, and what a text has in it before it is a page."""

import html
import re
from collections.abc import Callable

from comrak import ExtensionOptions, RenderOptions, render_markdown

FORMULA = r'span data-math-style="(?P<style>inline|display)">(?P<latex>[^<]*)</span>'

_FORMULA = re.compile(f"<{FORMULA}")
_UNDESCRIBED = re.compile(r'<img src="([^"]*)" alt="\s*"')


def extensions(rewrite_link: Callable[[str], str] | None = None) -> ExtensionOptions:
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
        options.image_url_rewriter = rewrite_link
    return options


def rendering(*, unsafe: bool = False) -> RenderOptions:
    """Raw HTML becomes text; links that run something lose their target unless `unsafe`."""
    options = RenderOptions()
    options.escape = True
    options.unsafe_ = unsafe
    return options


_EXTENSIONS = extensions()
_RENDERING = rendering()


def rendered(markdown: str) -> str:
    """The library's own HTML: each `<` begins a tag of its own, each text and value is escaped."""
    return render_markdown(markdown, _EXTENSIONS, render_options=_RENDERING)


def link_targets(markdown: str) -> list[str]:
    """Every link's and image's target in the order of the text, the unsafe ones too."""
    targets: list[str] = []

    def note(target: str) -> str:
        targets.append(target)
        return target

    render_markdown(markdown, extensions(note), render_options=rendering(unsafe=True))
    return targets


def has_title(markdown: str) -> bool:
    """Whether a text has a heading of the first level, which is the page's own."""
    return "<h1>" in rendered(markdown)


def formulas(markdown: str) -> list[str]:
    """The LaTeX of every formula, in the order of the text."""
    return [latex_of(found) for found in _FORMULA.finditer(rendered(markdown))]


def image_targets(markdown: str) -> list[str]:
    """Targets of the images, in the order of the text."""
    targets: list[str] = []

    def note(target: str) -> str:
        targets.append(target)
        return target

    options = extensions()
    options.image_url_rewriter = note
    render_markdown(markdown, options, render_options=rendering(unsafe=True))
    return targets


def undescribed_images(markdown: str) -> list[str]:
    """Targets of the images that have no alternative text."""
    return [html.unescape(target) for target in _UNDESCRIBED.findall(rendered(markdown))]


def latex_of(found: re.Match[str]) -> str:
    return html.unescape(found["latex"]).strip()
