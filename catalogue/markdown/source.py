"""The Markdown library, and what a text has in it before it is a page."""

import html
import re
from collections.abc import Callable
from functools import cached_property

from comrak import ExtensionOptions, RenderOptions, render_markdown
from msgspec import Struct

FORMULA = r'span data-math-style="(?P<style>inline|display)">(?P<latex>[^<]*)</span>'

_FORMULA = re.compile(f"<{FORMULA}")
_UNDESCRIBED = re.compile(r'<img src="([^"]*)" alt="\s*"')

Rewrite = Callable[[str], str]


def extensions(
    rewrite_link: Rewrite | None = None, rewrite_image: Rewrite | None = None
) -> ExtensionOptions:
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
        options.image_url_rewriter = rewrite_image or rewrite_link
    return options


def rendering(*, unsafe: bool = False, lines: bool = False) -> RenderOptions:
    """Raw HTML becomes text; links that run something lose their target unless `unsafe`.

    With `lines`, elements say in `data-sourcepos` in which line of the text they begin.
    """
    options = RenderOptions()
    options.escape = True
    options.unsafe_ = unsafe
    options.sourcepos = lines
    return options


_EXTENSIONS = extensions()
_RENDERING = rendering()
_RENDERING_LINES = rendering(lines=True)


def rendered(markdown: str) -> str:
    """The library's own HTML: each `<` begins a tag of its own, each text and value is escaped."""
    return render_markdown(markdown, _EXTENSIONS, render_options=_RENDERING)


def with_lines(markdown: str) -> str:
    """HTML of a text whose elements have the line number at which they begin."""
    return render_markdown(markdown, _EXTENSIONS, render_options=_RENDERING_LINES)


class Reading(Struct, frozen=True, dict=True):
    """A rendered text with the targets of its links and images, in their order.

    `html` is for validators and not for pages: links that run a script keep their target.
    """

    html: str
    targets: list[str]
    images: list[str]

    @property
    def has_title(self) -> bool:
        """Whether there is a heading of the first level, which is the page's own."""
        return "<h1>" in self.html

    @cached_property
    def formulas(self) -> list[str]:
        """The LaTeX of every formula."""
        return [latex_of(found) for found in _FORMULA.finditer(self.html)]

    @cached_property
    def undescribed_images(self) -> list[str]:
        """Targets of the images that have no alternative text."""
        return [html.unescape(target) for target in _UNDESCRIBED.findall(self.html)]


def read(markdown: str) -> Reading:
    """Render a text once for all validators."""
    targets: list[str] = []
    images: list[str] = []

    def note(target: str) -> str:
        targets.append(target)
        return target

    def note_image(target: str) -> str:
        images.append(target)
        return note(target)

    options = rendering(unsafe=True)
    html = render_markdown(markdown, extensions(note, note_image), render_options=options)
    return Reading(html, targets, images)


def link_targets(markdown: str) -> list[str]:
    """Every link's and image's target in the order of the text, the unsafe ones too."""
    return read(markdown).targets


def latex_of(found: re.Match[str]) -> str:
    return html.unescape(found["latex"]).strip()
