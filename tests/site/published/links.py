"""Where a document leads: the targets of its links, whatever it is written in."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin

from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from tests.site.published.release import ROOT
from tests.site.published.words import READER

WRITTEN_OUT = re.compile(
    re.escape(ROOT) + r"(?![\w.:-])[^\s\"'<>()\[\]{}\\`|,;…]*+(?![{…]|<[^/])", re.IGNORECASE
)
"""An address of the site anywhere in a text; a template such as `/apps/{appId}` is none."""
IDENTIFIER = re.compile(r'"@id":\s*"[^"]*"')
IN_STYLE = re.compile(r"url\(\s*[\"']?([^\"')]+)")
ATTRIBUTES = ("href", "src", "cite", "poster", "action", "formaction")


def targets(media_type: str, address: str, text: str) -> set[str]:
    """Absolute addresses that a document leads to; what is code is but an example."""
    read = {
        "text/html": of_html,
        "text/markdown": of_markdown,
        "text/plain": of_markdown,
        "text/css": of_style,
    }
    found = read.get(media_type, of_text)(text)
    return {urljoin(ROOT + address, target) for target in found}


def of_html(text: str) -> Iterator[str]:
    tree = LexborHTMLParser(text)
    for node in tree.css("*"):
        for name in ATTRIBUTES:
            if target := node.attributes.get(name):
                yield target
        for candidate in (node.attributes.get("srcset") or "").split(","):
            yield from candidate.split()[:1]
        yield from of_text(node.attributes.get("content") or "")
    for node in tree.css("pre, code"):
        node.decompose()
    for node in tree.css("html"):
        yield from of_text(IDENTIFIER.sub("", node.text(separator="\n")))


def of_markdown(text: str) -> Iterator[str]:
    return of_tokens(READER.parse(text))


def of_tokens(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        target = token.attrs.get("href") or token.attrs.get("src")
        if target:
            yield str(target)
        if token.type == "text":
            yield from of_text(token.content)
        yield from of_tokens(token.children or [])


def of_style(text: str) -> Iterator[str]:
    return (found[1] for found in IN_STYLE.finditer(text))


def of_text(text: str) -> Iterator[str]:
    return (found[0].rstrip(".:!?*") for found in WRITTEN_OUT.finditer(html.unescape(text)))
