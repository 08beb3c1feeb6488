"""Write inline parts as HTML by functions, because a page has too many of them for templates."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from catalogue.texts.markdown import formula_html
from site_mirror.pages.blocks import Inline, InlineFormula, Link, Literal, Moment, Phrase
from site_mirror.pages.texts import English
from site_mirror.pages.units import bind_units


def inline_html(part: Inline) -> Markup:
    return INLINE_WRITERS.get(type(part), text_html)(part)


@lru_cache(maxsize=2048, typed=True)  # `English` is equal to its `str`
def text_html(text: str) -> Markup:
    """Return an escaped text, marked with its language if that is not the page's."""
    if isinstance(text, English):
        return Markup('<span lang="en">{}</span>').format(str(text))
    return Markup(bind_units(escape(text)))  # noqa: S704 - is escaped


def _link(part: Link) -> Markup:
    language = f' hreflang="{escape(part.language)}"' if part.language else ""
    note = f' <span class="note">{text_html(part.note)}</span>' if part.note else ""
    link = f'<a href="{escape(part.address)}"{language}>{text_html(part.label)}</a>{note}'
    return Markup(link)  # noqa: S704 - each part is escaped


@lru_cache(maxsize=5000)
def _moment(part: Moment) -> Markup:
    time = f'<time datetime="{escape(part.value)}">{escape(part.label)}</time>'
    return Markup(time)  # noqa: S704 - each part is escaped


def dated_links_html(entries: Iterable[tuple[Moment, Link]]) -> Markup:
    """Return dated links as items of a list."""
    items = [f"<li>{_moment(moment)} {_link(link)}</li>" for moment, link in entries]
    return Markup("\n  ".join(items))  # noqa: S704 - each part is escaped


def _literal(part: Literal) -> Markup:
    return Markup("<code>{}</code>").format(part.text)


def _formula(part: InlineFormula) -> Markup:
    return Markup(formula_html(part.latex))  # noqa: S704 - the library escapes it


def _phrase(part: Phrase) -> Markup:
    return Markup("").join(map(inline_html, part.parts))


INLINE_WRITERS: dict[type, Callable[[Any], Markup]] = {
    Link: _link,
    Moment: _moment,
    Literal: _literal,
    InlineFormula: _formula,
    Phrase: _phrase,
}
