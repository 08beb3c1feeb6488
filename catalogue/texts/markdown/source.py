"""The Markdown library, and the links, images and formulas that it finds in a text."""

import html
import re
from functools import cached_property, lru_cache

from comrak import RenderOptions, render_markdown
from msgspec import Struct

from catalogue.texts.markdown.plain import comrak_extensions, without_html

FORMULA = r'span data-math-style="(?P<style>inline|display)">(?P<latex>[^<]*)</span>'

_FORMULA = re.compile(f"<{FORMULA}")
_LINK_WITH_LINE = re.compile(
    r'<(?P<name>a|img) data-sourcepos="(?P<line>\d+):[^"]*" (?:href|src)="(?P<target>[^"]*)"'
)
_FORMULA_WITH_LINE = re.compile(
    r'<span data-math-style="[a-z]+" data-sourcepos="(?P<line>\d+):[^"]*">(?P<latex>[^<]*)</span>'
)
_UNDESCRIBED = re.compile(r'<img src="([^"]*)" alt="\s*"')


def comrak_options(*, unsafe: bool = False, lines: bool = False) -> RenderOptions:
    """Return options that escape raw HTML; links to scripts lose their target unless `unsafe`.

    With `lines`, elements have the line in which they begin in `data-sourcepos`.
    """
    options = RenderOptions()
    options.escape = True
    options.unsafe_ = unsafe
    options.sourcepos = lines
    return options


def _input(markdown: str) -> str:
    # The library does not find a definition of a target in `<…>` in a last line without an end.
    return f"{without_html(markdown)}\n"


_EXTENSIONS = comrak_extensions()
_RENDERING = comrak_options()


@lru_cache(maxsize=4)
def render_html(markdown: str) -> str:
    """Return the library's HTML: each `<` begins a tag of the library, all texts are escaped.

    It is cached, because a freeze renders a text for its page, and then for the page's mirror.
    """
    return render_markdown(_input(markdown), _EXTENSIONS, render_options=_RENDERING)


class Reading(Struct, frozen=True, dict=True):
    """A rendered text with the targets of its links and images, in their order.

    `html` is for validators and not for pages: links that run a script keep their target.
    """

    html: str
    targets: list[str]
    images: list[str]

    @property
    def has_title(self) -> bool:
        """Whether there is a heading of the first level, which only the page may have."""
        return "<h1>" in self.html

    @cached_property
    def formulas(self) -> list[str]:
        """The LaTeX of every formula."""
        return [latex_of(formula) for formula in _FORMULA.finditer(self.html)]

    @cached_property
    def undescribed_images(self) -> list[str]:
        """Targets of the images that have no alternative text."""
        return [html.unescape(target) for target in _UNDESCRIBED.findall(self.html)]


def read(markdown: str, *, unsafe: bool = True, with_html: bool = False) -> Reading:
    """Render a text once for all validators, or as a page shows it if not `unsafe`.

    With `with_html`, HTML is read as HTML, as another reader of Markdown does.
    """
    targets: list[str] = []
    images: list[str] = []

    def add_target(target: str) -> str:
        targets.append(target)
        return target

    def add_image(target: str) -> str:
        images.append(target)
        return add_target(target)

    options = comrak_options(unsafe=unsafe)
    extensions = comrak_extensions(add_target, add_image)
    text = f"{markdown}\n" if with_html else _input(markdown)
    html = render_markdown(text, extensions, render_options=options)
    return Reading(html, targets, images)


def link_targets(markdown: str) -> list[str]:
    """Return the targets of all links and images in the order of the text, also unsafe ones."""
    return read(markdown).targets


def written_links(markdown: str) -> list[tuple[int, str, bool]]:
    """Return line and target of each link and image, and whether it is an image.

    Lines are counted from 1. A link with a reference is in its own line, not in the definition's.
    """
    options = comrak_options(unsafe=True, lines=True)
    page = render_markdown(_input(markdown), comrak_extensions(), render_options=options)
    return [
        (int(link["line"]), html.unescape(link["target"]), link["name"] == "img")
        for link in _LINK_WITH_LINE.finditer(page)
    ]


def written_formulas(markdown: str) -> list[tuple[int, str]]:
    """Return line and LaTeX of each formula; lines are counted from 1."""
    if "$" not in markdown:
        return []
    options = comrak_options(lines=True)
    page = render_markdown(_input(markdown), comrak_extensions(), render_options=options)
    found = _FORMULA_WITH_LINE.finditer(page)
    return [(int(formula["line"]), latex_of(formula)) for formula in found]


def latex_of(formula: re.Match[str]) -> str:
    return html.unescape(formula["latex"]).strip()
