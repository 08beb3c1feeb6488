"""The targets of links in HTML, Markdown, style sheets and other texts."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin

from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from tests.site.published.page_words import READER
from tests.site.published.release import ROOT

ABSOLUTE_ADDRESS = re.compile(
    re.escape(ROOT) + r"(?![\w.:-])[^\s\"'<>()\[\]{}\\`|,;…]*+(?![{…]|<[^/])", re.IGNORECASE
)
"""An absolute address of the site in a text, but not a template such as `/apps/{appId}`."""
IDENTIFIER = re.compile(r'"@id":\s*"[^"]*"')
STYLE_URL = re.compile(r"url\(\s*[\"']?([^\"')]+)")
ATTRIBUTES = ("href", "src", "cite", "poster", "action", "formaction")


def find_targets(media_type: str, address: str, text: str) -> set[str]:
    """Return the absolute addresses to which a document links; code is not searched."""
    finders = {
        "text/html": targets_of_html,
        "text/markdown": targets_of_markdown,
        "text/plain": targets_of_markdown,
        "text/css": targets_of_style,
    }
    targets = finders.get(media_type, targets_of_text)(text)
    return {urljoin(ROOT + address, target) for target in targets}


def targets_of_html(text: str) -> Iterator[str]:
    tree = LexborHTMLParser(text)
    for node in tree.css("*"):
        for name in ATTRIBUTES:
            if target := node.attributes.get(name):
                yield target
        for candidate in (node.attributes.get("srcset") or "").split(","):
            yield from candidate.split()[:1]
        yield from targets_of_text(node.attributes.get("content") or "")
    for node in tree.css("pre, code"):
        node.decompose()
    for node in tree.css("html"):
        yield from targets_of_text(IDENTIFIER.sub("", node.text(separator="\n")))


def targets_of_markdown(text: str) -> Iterator[str]:
    return targets_of_tokens(READER.parse(text))


def targets_of_tokens(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        target = token.attrs.get("href") or token.attrs.get("src")
        if target:
            yield str(target)
        if token.type == "text":
            yield from targets_of_text(token.content)
        yield from targets_of_tokens(token.children or [])


def targets_of_style(text: str) -> Iterator[str]:
    return (found[1] for found in STYLE_URL.finditer(text))


def targets_of_text(text: str) -> Iterator[str]:
    return (found[0].rstrip(".:!?*") for found in ABSOLUTE_ADDRESS.finditer(html.unescape(text)))
