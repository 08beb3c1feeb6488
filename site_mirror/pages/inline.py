"""Inline parts as HTML, one writer for each kind: they are too many on a page for templates."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from site_mirror.pages.blocks import Inline, Link, Literal, Moment, Phrase
from site_mirror.pages.texts import KNOWN, SHORT, English


def inline(part: Inline) -> Markup:
    """A part of a line."""
    return WRITERS.get(type(part), words)(part)


def words(text: str) -> Markup:
    """A text, marked where its language is not the page's."""
    return _known_words(text) if len(text) <= SHORT else _words(text)


def _words(text: str) -> Markup:
    if isinstance(text, English):
        return Markup('<span lang="en">{}</span>').format(str(text))
    return escape(text)


_known_words = lru_cache(maxsize=KNOWN, typed=True)(_words)


def _quoted(text: str) -> Markup:
    return _known_quoted(text) if len(text) <= SHORT else escape(text)


_known_quoted = lru_cache(maxsize=KNOWN)(escape)


def _link(part: Link) -> Markup:
    language = f' hreflang="{_quoted(part.language)}"' if part.language else ""
    note = f' <span class="note">{words(part.note)}</span>' if part.note else ""
    link = f'<a href="{_quoted(part.address)}"{language}>{words(part.label)}</a>{note}'
    return Markup(link)  # noqa: S704 - each part is escaped


@lru_cache(maxsize=5000)
def _moment(part: Moment) -> Markup:
    time = f'<time datetime="{escape(part.value)}">{escape(part.label)}</time>'
    return Markup(time)  # noqa: S704 - each part is escaped


def dated(entries: Iterable[tuple[Moment, Link]]) -> Markup:
    """Links with their days as items of a list."""
    items = [f"<li>{_moment(moment)} {_link(link)}</li>" for moment, link in entries]
    return Markup("\n  ".join(items))  # noqa: S704 - each part is escaped


def _literal(part: Literal) -> Markup:
    return Markup("<code>{}</code>").format(part.text)


def _phrase(part: Phrase) -> Markup:
    return Markup("").join(map(inline, part.parts))


WRITERS: dict[type, Callable[[Any], Markup]] = {
    Link: _link,
    Moment: _moment,
    Literal: _literal,
    Phrase: _phrase,
}
