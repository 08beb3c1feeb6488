"""The templates of pages: what they can say beside a page itself."""

import json
from typing import Any

from django.utils.translation import gettext
from jinja2 import Environment
from markupsafe import Markup, escape

from catalogue import addresses, markdown
from site_mirror import assets
from site_mirror.pages.blocks import Link, Moment
from site_mirror.pages.texts import English


def environment(**options: Any) -> Environment:
    """The environment of Django's template backend, with labels from its catalogues."""
    layout = {"trim_blocks": True, "lstrip_blocks": True}
    made = Environment(**options | layout)  # noqa: S701 - the backend turns escaping on
    made.globals |= {
        "_": gettext,
        "addresses": addresses,
        "asset": assets.address,
        "plain": type_of,
    }
    made.filters |= {
        "words": words,
        "paragraphs": paragraphs,
        "prose": prose,
        "formula": formula,
        "code": code,
        "json_ld": json_ld,
    }
    return made


def words(text: str) -> Markup:
    """A text, marked where its language is not the page's."""
    if isinstance(text, English):
        return Markup('<span lang="en">{}</span>').format(str(text))
    return escape(text)


def type_of(part: object) -> str:
    """What an inline part is: `link`, `moment` or `text`."""
    return {Link: "link", Moment: "moment"}.get(type(part), "text")


def paragraphs(text: str) -> Markup:
    parts = (English(part) if isinstance(text, English) else part for part in text.split("\n\n"))
    return Markup("\n").join(Markup("<p>{}</p>").format(words(part)) for part in parts if part)


def prose(text: str, language: str, prefix: str = "") -> Markup:
    return Markup(markdown.to_html(text, language, prefix=prefix))  # noqa: S704 - the library escapes what editors write


def formula(latex: str) -> Markup:
    return Markup(markdown.formula_html(latex, "display"))  # noqa: S704 - as above


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
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    escaped = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(escaped)  # noqa: S704 - has no character that HTML could end the element by
