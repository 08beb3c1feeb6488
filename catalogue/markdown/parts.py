"""The parts of a text that the library leaves plain, as they stand on a page.

One pass over the tags gives headings their anchors, code its colours, formulas their MathML,
and a name to what scrolls.
"""

import html
import re
from collections.abc import Callable, Mapping

from catalogue import limits
from catalogue.markdown.anchors import Anchors
from catalogue.markdown.highlighting import highlighted
from catalogue.markdown.labels import LABELS
from catalogue.markdown.reasons import formula_or_reason
from catalogue.markdown.source import FORMULA, latex_of

SCHEMES = ("http", "https", "mailto")

_PARTS = (
    r"(?P<heading>h(?P<level>[1-6])>(?P<words>.*?)</h(?P=level)>)"
    r'|(?P<display>p><span data-math-style="display">(?P<alone>[^<]*)</span></p>)'
    f"|(?P<formula>{FORMULA})"
    r'|(?P<code>pre><code(?: class="language-(?P<language>[^"]*)")?>(?P<source>[^<]*)</code></pre>)'
    r"|(?P<table>table>(?P<rows>.*?)</table>)"
    r'|(?P<image>img src="(?P<src>[^"]*)" alt="(?P<alt>[^"]*)"(?P<title> title="[^"]*")? />)'
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
# Most tags are none of these; the beginnings, asked first, say so four times faster.
_PART = re.compile(rf'<(?=h\d|p><s|pre|span |table|img|a href="[^/]|[bh]r )(?:{_PARTS})', re.DOTALL)
_PART_OR_NOTE = re.compile(rf"<(?=[abhilpst/])(?:{_NOTES}|{_PARTS})", re.DOTALL)
_PLACE = re.compile(f"<{_REFERENCE}")
_HEADER = re.compile(r"<th[ >].*?</th>")
_EMPTY_HEADER = re.compile(r"<th[^>]*></th>")
_TAG = re.compile(r'<sup class="footnote-ref">.*?</sup>|<[^>]*>')
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")


class Parts:
    """One text of a page, on its way from the library's HTML to the page's.

    One that is `noted` has footnotes.
    """

    def __init__(
        self,
        text: str,
        language: str,
        prefix: str,
        sizes: Mapping[str, tuple[int, int]],
        *,
        noted: bool,
    ) -> None:
        self.text = text
        self.language = language
        self.labels = LABELS[language]
        self.prefix = prefix
        self.sizes = sizes
        self.anchors = Anchors()
        self.definitions = 0
        self.coloured = 0
        self.pattern = _PART_OR_NOTE if noted else _PART
        references = _PLACE.finditer(text) if noted else ()
        self.places = {_place(found["number"], found["time"]) for found in references}

    def html(self) -> str:
        return self.inside(self.text)

    def inside(self, text: str) -> str:
        return self.pattern.sub(self.part, text)

    def part(self, found: re.Match[str]) -> str:
        return _KINDS[found.lastgroup or ""](self, found)

    def heading(self, found: re.Match[str]) -> str:
        level, inside = found["level"], found["words"]
        words, written = inside, inside
        if "<" in inside:
            words, written = _words(inside), self.inside(inside)
        name = self.prefix + self.anchors.name(html.unescape(words))
        return (
            f'<div class="heading"><h{level} id="{name}">{written}</h{level}>'
            f'<a class="anchor" href="#{name}" aria-label="{self.labels.section} “{words}”"></a>'
            "</div>"
        )

    def display(self, found: re.Match[str]) -> str:
        formula = self.mathml(html.unescape(found["alone"]).strip(), "display")
        return f'<div class="formula"{_scrolls(self.labels.formula)}>{formula}</div>'

    def formula(self, found: re.Match[str]) -> str:
        return self.mathml(latex_of(found), found["style"])

    def mathml(self, latex: str, style: str) -> str:
        return formula_or_reason(latex, self.language, style)

    def code(self, found: re.Match[str]) -> str:
        language, source = found["language"], found["source"]
        if not language:
            return f"<pre{_scrolls(self.labels.code)}><code>{source}</code></pre>"
        self.coloured += len(source)
        if self.coloured <= limits.CODE_OF_A_TEXT.most:
            source = highlighted(source, language)
        return (
            f'<pre{_scrolls(f"{self.labels.code}: {language}")}><code class="language-{language}">'
            f"{source}</code></pre>"
        )

    def table(self, found: re.Match[str]) -> str:
        first, end, others = found["rows"].partition("</thead>")
        header = ", ".join(filter(None, map(_words, _HEADER.findall(first))))
        name = f"{self.labels.table}: {header}" if header else self.labels.table
        first = _EMPTY_HEADER.sub("<td></td>", first).replace("<th>", '<th scope="col">')
        first = first.replace("<th align", '<th scope="col" align')
        rows = self.inside(f"{first}{end}{others}".replace(' align="', ' class="'))
        return f'<div class="table"{_scrolls(name)}><table>{rows}</table></div>'

    def image(self, found: re.Match[str]) -> str:
        address, text = found["src"], found["alt"]
        if _refused(address):
            return text
        size = self.sizes.get(html.unescape(address))
        known = f' width="{size[0]}" height="{size[1]}"' if size else ""
        return (
            f'<img src="{address}" alt="{text}"{found["title"] or ""}{known} '
            'loading="lazy" decoding="async">'
        )

    def link(self, found: re.Match[str]) -> str:
        target = found["target"]
        if _refused(target):
            return "<a"
        return f'<a href="#{self.prefix}{target[1:]}"' if target[0] == "#" else found[0]

    def void(self, found: re.Match[str]) -> str:
        return f"<{found['void']}>"

    def reference(self, found: re.Match[str]) -> str:
        number = found["number"]
        return (
            f'<a href="#{self.prefix}fn_{number}" '
            f'id="{self.prefix}{_place(number, found["time"])}" '
            f'aria-label="{self.labels.footnote} {number}">{number}</a>'
        )

    def back(self, found: re.Match[str]) -> str:
        number, time = found["to"], found["again"]
        place = _place(number, time)
        if place not in self.places:
            return ""
        index, shown = (f"{number}-{time}", f"<sup>{time}</sup>") if time else (number, "")
        return (
            f'<a href="#{self.prefix}{place}" class="footnote-backref" '
            f'aria-label="{self.labels.back} {index}">↩\ufe0e{shown}</a>'
        )

    def notes(self, found: re.Match[str]) -> str:
        return f'<div class="footnotes" role="group" aria-label="{self.labels.footnotes}">'

    def definition(self, found: re.Match[str]) -> str:
        self.definitions += 1
        return f'<li id="{self.prefix}fn_{self.definitions}">'

    def end(self, found: re.Match[str]) -> str:
        return "</div>"


_KINDS: dict[str, Callable[[Parts, re.Match[str]], str]] = {
    "heading": Parts.heading,
    "display": Parts.display,
    "formula": Parts.formula,
    "code": Parts.code,
    "table": Parts.table,
    "image": Parts.image,
    "link": Parts.link,
    "void": Parts.void,
    "reference": Parts.reference,
    "back": Parts.back,
    "notes": Parts.notes,
    "definition": Parts.definition,
    "end": Parts.end,
}


def _place(number: str, time: str | None) -> str:
    """Name of a reference; a heading's has no `_`, so that the two never collide."""
    return f"fnref_{number}_{time}" if time else f"fnref_{number}"


def _words(inside: str) -> str:
    """Text of a piece of HTML without its footnotes, still escaped."""
    return _TAG.sub("", inside).strip()


def _scrolls(name: str) -> str:
    """Attributes of what may be wider than the page: it can be focused, and it has a name.

    A group is no landmark, so that names may repeat and the list of landmarks stays short.
    """
    return f' role="group" tabindex="0" aria-label="{name}"'


def _refused(target: str) -> bool:
    """Whether a target is nothing, or has a scheme that a page does not follow."""
    scheme = _SCHEME.match(target)
    return not target or (scheme is not None and scheme[1].lower() not in SCHEMES)
