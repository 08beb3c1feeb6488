"""Inline parts as HTML, one writer for each kind: they are too many on a page for templates."""

from functools import singledispatch

from markupsafe import Markup, escape

from site_mirror.pages.blocks import Link, Literal, Moment, Phrase
from site_mirror.pages.texts import English


@singledispatch
def inline(part: object) -> Markup:
    """A part of a line."""
    raise TypeError(f"There is no HTML for {type(part).__name__}.")


@inline.register(str)
def words(text: str) -> Markup:
    """A text, marked where its language is not the page's."""
    if isinstance(text, English):
        return Markup('<span lang="en">{}</span>').format(str(text))
    return escape(text)


@inline.register
def _link(part: Link) -> Markup:
    language = f' hreflang="{escape(part.language)}"' if part.language else ""
    note = f' <span class="note">{words(part.note)}</span>' if part.note else ""
    link = f'<a href="{escape(part.address)}"{language}>{words(part.label)}</a>{note}'
    return Markup(link)  # noqa: S704 - each part is escaped


@inline.register
def _moment(part: Moment) -> Markup:
    time = f'<time datetime="{escape(part.value)}">{escape(part.label)}</time>'
    return Markup(time)  # noqa: S704 - each part is escaped


@inline.register
def _literal(part: Literal) -> Markup:
    return Markup("<code>{}</code>").format(part.text)


@inline.register
def _phrase(part: Phrase) -> Markup:
    return Markup("").join(map(inline, part.parts))
