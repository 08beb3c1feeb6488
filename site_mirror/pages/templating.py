"""The Jinja environment of pages: functions and filters that templates use."""

from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

import orjson
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from catalogue import addresses
from catalogue.texts import markdown
from catalogue.texts.shown_images import ShownImage
from site_mirror.documents import assets
from site_mirror.pages.frame import Frame
from site_mirror.pages.inline import dated_links_html, inline_html, text_html
from site_mirror.pages.texts import English
from site_mirror.pages.units import bind_units


def build_environment(**options: Any) -> Environment:
    """Return the environment for Django's template backend, whose options turn escaping on."""
    layout = {"trim_blocks": True, "lstrip_blocks": True}
    environment = PageEnvironment(**options | layout)
    environment.globals |= {
        "_": label_in_page,
        "addresses": addresses,
        "asset": assets.asset_address,
    }
    environment.filters |= {
        "dated": dated_links_html,
        "inline": inline_html,
        "words": text_html,
        "paragraphs": paragraphs_html,
        "prose": prose_html,
        "formula": display_formula,
        "code": code_html,
        "json_ld": encode_json_ld,
    }
    return environment


class PageEnvironment(Environment):
    """An environment whose templates are rendered thousands of times."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a plain mapping, because each rendering copies it and a `ChainMap` is slow."""
        return {**self.globals, **(d or {})}


@pass_context
def label_in_page(context: Context, text: str) -> str:
    frame: Frame = context["frame"]
    return frame.gettext(text)


def paragraphs_html(text: str) -> Markup:
    parts = (English(part) if isinstance(text, English) else part for part in text.split("\n\n"))
    return Markup("\n").join(Markup("<p>{}</p>").format(text_html(part)) for part in parts if part)


@lru_cache(maxsize=512)
def prose_html(
    text: str, language: str, prefix: str = "", images: tuple[ShownImage, ...] = ()
) -> Markup:
    """Return a Markdown text as HTML; the cache serves repeated requests and prepared texts."""
    html = markdown.to_html(text, language, prefix=prefix, images=images)
    return Markup(bind_units(html))  # noqa: S704 - the library escapes what editors write


def display_formula(latex: str, language: str) -> Markup:
    return Markup(markdown.formula_or_reason(latex, language, "display"))  # noqa: S704 - as above


def code_html(source: str, language: str, page_language: str) -> Markup:
    return Markup(markdown.to_html(fence_code(source, language), page_language))  # noqa: S704 - as above


def fence_code(source: str, language: str) -> str:
    """Return a fenced block, whose fence is longer than any in the source."""
    fence = "```"
    while fence in source:
        fence += "`"
    return f"{fence}{language}\n{source.rstrip()}\n{fence}"


def encode_json_ld(value: Any) -> Markup:
    """Return JSON for a `script` element, escaped so that no text in it can end the element."""
    text = orjson.dumps(value).decode()
    escaped = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(escaped)  # noqa: S704 - has no character that HTML could end the element by
