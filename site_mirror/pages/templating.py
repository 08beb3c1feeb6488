"""The templates of pages: what they can say beside a page itself."""

from collections.abc import MutableMapping
from typing import Any

import orjson
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from catalogue import addresses, markdown
from catalogue.budgets import MEGABYTE, remembered
from site_mirror import assets
from site_mirror.pages.frame import Frame
from site_mirror.pages.inline import dated, inline, words
from site_mirror.pages.texts import English


def environment(**options: Any) -> Environment:
    """The environment of Django's template backend, which turns escaping on, with labels."""
    layout = {"trim_blocks": True, "lstrip_blocks": True}
    made = Pages(**options | layout)
    made.globals |= {"_": label, "addresses": addresses, "asset": assets.address}
    made.filters |= {
        "dated": dated,
        "inline": inline,
        "words": words,
        "paragraphs": paragraphs,
        "prose": prose,
        "formula": formula,
        "code": code,
        "json_ld": json_ld,
    }
    return made


class Pages(Environment):
    """An environment whose templates are rendered by the thousand."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain mapping: a chain of them is slow to copy, which each rendering does."""
        return {**self.globals, **(d or {})}


@pass_context
def label(context: Context, text: str) -> str:
    """A label in the language of the page."""
    frame: Frame = context["frame"]
    return frame.gettext(text)


def paragraphs(text: str) -> Markup:
    parts = (English(part) if isinstance(text, English) else part for part in text.split("\n\n"))
    return Markup("\n").join(Markup("<p>{}</p>").format(words(part)) for part in parts if part)


@remembered(32 * MEGABYTE)
def prose(text: str, language: str, prefix: str = "") -> Markup:
    """HTML of a text; a page that is asked for again finds its own, as one that was prepared."""
    return Markup(markdown.to_html(text, language, prefix=prefix))  # noqa: S704 - the library escapes what editors write


def formula(latex: str, language: str) -> Markup:
    return Markup(markdown.formula_or_reason(latex, language, "display"))  # noqa: S704 - as above


def code(source: str, language: str, page_language: str) -> Markup:
    return Markup(markdown.to_html(fenced(source, language), page_language))  # noqa: S704 - as above


def fenced(source: str, language: str) -> str:
    """A fenced block, its fence longer than any in the source."""
    fence = "```"
    while fence in source:
        fence += "`"
    return f"{fence}{language}\n{source.rstrip()}\n{fence}"


def json_ld(value: Any) -> Markup:
    """JSON for a `script` element, which no text in it can end."""
    text = orjson.dumps(value).decode()
    escaped = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(escaped)  # noqa: S704 - has no character that HTML could end the element by
