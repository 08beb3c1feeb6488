"""Inline parts as HTML, one writer for each kind: they are too many on a page for templates."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from catalogue.budgets import remembered_if_short
from site_mirror.pages.blocks import Inline, Link, Literal, Moment, Phrase
from site_mirror.pages.texts import English


def inline(part: Inline) -> Markup:
    """A part of a line."""
    return WRITERS.get(type(part), words)(part)


@remembered_if_short
def words(text: str) -> Markup:
    """A text, marked where its language is not the page's."""
    if isinstance(text, English):
        return Markup('<span lang="en">{}</span>').format(str(text))
    return escape(text)


@remembered_if_short
def _quoted(text: str) -> Markup:
    return escape(text)


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
