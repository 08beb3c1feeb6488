"""Parts of a page that the library does not write.

One pass over the tags adds anchors to headings, highlights code, converts formulas to MathML and
labels elements that scroll.
"""

import html
import re
from collections.abc import Callable, Iterable

from catalogue.texts import limits
from catalogue.texts.markdown.anchors import Anchors
from catalogue.texts.markdown.highlighting import highlight_code
from catalogue.texts.markdown.labels import LABELS
from catalogue.texts.markdown.mathml import formula_or_reason
from catalogue.texts.markdown.source import FORMULA, latex_of
from catalogue.texts.shown_images import ShownImage

SCHEMES = ("http", "https", "mailto")

_IMAGE = r'img src="(?P<src>[^"]*)" alt="(?P<alt>[^"]*)"(?: title="(?P<title>[^"]*)")? />'
_PARTS = (
    r"(?P<heading>h(?P<level>[1-6])>(?P<words>.*?)</h(?P=level)>)"
    r'|(?P<display>p><span data-math-style="display">(?P<only_formula>[^<]*)</span></p>)'
    f"|(?P<formula>{FORMULA})"
    r'|(?P<code>pre><code(?: class="language-(?P<language>[^"]*)")?>(?P<source>[^<]*)</code></pre>)'
    r"|(?P<table>table>(?P<rows>.*?)</table>)"
    f"|(?P<image>{_IMAGE})"
    rf"|(?P<figure>p><{_IMAGE.replace('?P<', '?P<only_')}</p>)"
    r'|(?P<link>a href="(?!/)(?P<target>[^"]*)")'
    r"|(?P<void>[bh]r) />"
)
_REFERENCE = (
    r'a href="\#fn-(?P<note>[^"]*)" id="fnref-(?P=note)(?:-(?P<time>\d+))?"'
    r" data-footnote-ref>(?P<number>\d+)</a>"
)
_NOTES = (
    f"(?P<reference>{_REFERENCE})"
    r'|(?P<back>a href="\#fnref-[^"]*" class="footnote-backref" data-footnote-backref'
    r' data-footnote-backref-idx="(?P<to>\d+)(?:-(?P<again>\d+))?" aria-label="[^"]*">.*?</a>)'
    r'|(?P<notes>section class="footnotes" data-footnotes>)'
    r'|(?P<definition>li id="fn-[^"]*">)'
    r"|(?P<end>/section>)"
)
# Lookaheads for the beginnings make the search four times as fast, because most tags do not match.
_PART = re.compile(
    rf'<(?=h\d|p><[si]|pre|span |table|img|a href="[^/]|[bh]r )(?:{_PARTS})', re.DOTALL
)
_PART_OR_NOTE = re.compile(rf"<(?=[abhilpst/])(?:{_NOTES}|{_PARTS})", re.DOTALL)
_REFERENCE_TAG = re.compile(f"<{_REFERENCE}")
_HEADER = re.compile(r"<th[ >].*?</th>")
_EMPTY_HEADER = re.compile(r"<th[^>]*></th>")
_NOTE_OR_TAG = re.compile(r'<sup class="footnote-ref">.*?</sup>|<[^>]*>')
_TARGET_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")


class Parts:
    """The conversion of one text from the library's HTML to the HTML of a page."""

    def __init__(
        self,
        text: str,
        language: str,
        prefix: str,
        images: Iterable[ShownImage],
        *,
        has_notes: bool,
    ) -> None:
        self.text = text
        self.language = language
        self.labels = LABELS[language]
        self.prefix = prefix
        self.images = {image.address: image for image in images}
        self.anchors = Anchors()
        self.definitions = 0
        self.coloured = 0
        self.pattern = _PART_OR_NOTE if has_notes else _PART
        references = _REFERENCE_TAG.finditer(text) if has_notes else ()
        self.places = {_reference_id(match["number"], match["time"]) for match in references}

    def html(self) -> str:
        return self.inside(self.text)

    def inside(self, text: str) -> str:
        return self.pattern.sub(self.part, text)

    def part(self, match: re.Match[str]) -> str:
        """Call the method of the name of the group that matched."""
        write: Callable[[re.Match[str]], str] = getattr(self, match.lastgroup or "")
        return write(match)

    def heading(self, match: re.Match[str]) -> str:
        level, inside = match["level"], match["words"]
        words, written = inside, inside
        if "<" in inside:
            words, written = _text_of(inside), self.inside(inside)
        name = self.prefix + self.anchors.name(html.unescape(words))
        return (
            f'<div class="heading"><h{level} id="{name}">{written}</h{level}>'
            f'<a class="anchor" href="#{name}" aria-label="{self.labels.section} “{words}”"></a>'
            "</div>"
        )

    def display(self, match: re.Match[str]) -> str:
        formula = self.mathml(html.unescape(match["only_formula"]).strip(), "display")
        return f'<div class="formula"{_scroll_attributes(self.labels.formula)}>{formula}</div>'

    def formula(self, match: re.Match[str]) -> str:
        return self.mathml(latex_of(match), match["style"])

    def mathml(self, latex: str, style: str) -> str:
        return formula_or_reason(latex, self.language, style)

    def code(self, match: re.Match[str]) -> str:
        language, source = match["language"], match["source"]
        if not language:
            return f"<pre{_scroll_attributes(self.labels.code)}><code>{source}</code></pre>"
        self.coloured += len(source)
        if self.coloured <= limits.TOTAL_CODE_LENGTH:
            source = highlight_code(source, language)
        scroll = _scroll_attributes(f"{self.labels.code}: {language}")
        return f'<pre{scroll}><code class="language-{language}">{source}</code></pre>'

    def table(self, match: re.Match[str]) -> str:
        first, end, others = match["rows"].partition("</thead>")
        header = ", ".join(filter(None, map(_text_of, _HEADER.findall(self.inside(first)))))
        name = f"{self.labels.table}: {header}" if header else self.labels.table
        first = _EMPTY_HEADER.sub("<td></td>", first).replace("<th>", '<th scope="col">')
        first = first.replace("<th align", '<th scope="col" align')
        rows = self.inside(f"{first}{end}{others}".replace(' align="', ' class="'))
        return f'<div class="table"{_scroll_attributes(name)}><table>{rows}</table></div>'

    def image(self, match: re.Match[str]) -> str:
        title = f' title="{match["title"]}"' if match["title"] else ""
        return self.picture(match["src"], match["alt"], title)

    def figure(self, match: re.Match[str]) -> str:
        """Return an image that is a paragraph of its own, with its title as its caption."""
        begins_text = match.start() == 0 and match.string is self.text
        image = self.picture(match["only_src"], match["only_alt"], lazy=not begins_text)
        if not match["only_title"]:
            return f"<p>{image}</p>"
        return f"<figure>{image}<figcaption>{match['only_title']}</figcaption></figure>"

    def picture(self, address: str, alt: str, title: str = "", *, lazy: bool = True) -> str:
        """Return an image element; one at the beginning of a page is loaded at once."""
        if _is_refused(address):
            return alt
        known = self.images.get(html.unescape(address))
        more = known.attributes if known else ""
        loading = ' loading="lazy"' if lazy else ""
        return f'<img src="{address}" alt="{alt}"{title}{more}{loading} decoding="async">'

    def link(self, match: re.Match[str]) -> str:
        target = match["target"]
        if _is_refused(target):
            return "<a"
        return f'<a href="#{self.prefix}{target[1:]}"' if target[0] == "#" else match[0]

    def void(self, match: re.Match[str]) -> str:
        return f"<{match['void']}>"

    def reference(self, match: re.Match[str]) -> str:
        number = match["number"]
        return (
            f'<a href="#{self.prefix}fn_{number}" '
            f'id="{self.prefix}{_reference_id(number, match["time"])}" '
            f'aria-label="{self.labels.footnote} {number}">{number}</a>'
        )

    def back(self, match: re.Match[str]) -> str:
        number, time = match["to"], match["again"]
        place = _reference_id(number, time)
        if place not in self.places:
            return ""
        index, shown = (f"{number}-{time}", f"<sup>{time}</sup>") if time else (number, "")
        return (
            f'<a href="#{self.prefix}{place}" class="footnote-backref" '
            f'aria-label="{self.labels.back} {index}">↩\ufe0e{shown}</a>'
        )

    def notes(self, match: re.Match[str]) -> str:
        return f'<div class="footnotes" role="group" aria-label="{self.labels.footnotes}">'

    def definition(self, match: re.Match[str]) -> str:
        self.definitions += 1
        return f'<li id="{self.prefix}fn_{self.definitions}">'

    def end(self, match: re.Match[str]) -> str:
        return "</div>"


def _reference_id(number: str, time: str | None) -> str:
    """Return the id of a reference; it has `_`, so it differs from the anchor of every heading."""
    return f"fnref_{number}_{time}" if time else f"fnref_{number}"


def _text_of(inside: str) -> str:
    """Return the text of a piece of HTML without footnotes and without unescaping it."""
    return _NOTE_OR_TAG.sub("", inside).strip()


def _scroll_attributes(name: str) -> str:
    """Return attributes of an element that may scroll: it can be focused, and it has a name.

    Its role is `group` and not a landmark, so that names may repeat and the list of landmarks
    stays short.
    """
    return f' role="group" tabindex="0" aria-label="{name}"'


def _is_refused(target: str) -> bool:
    """Whether a target is empty or has a scheme that is not in `SCHEMES`."""
    scheme = _TARGET_SCHEME.match(target)
    return not target or (scheme is not None and scheme[1].lower() not in SCHEMES)
