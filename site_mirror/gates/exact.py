"""Read the links of a document with a parser of its format.

This is slow but exact: an address in an example of code or in a sentence is not a link.
"""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import orjson

from catalogue import plain_links
from catalogue.markdown.source import link_targets
from catalogue.plain_links import is_uri
from site_mirror.gates.kinds import DocumentKind

_CSS_URL = re.compile(r"url\([\"']?([^\"')]*)")


def read_links(kind: DocumentKind, body: bytes) -> list[str]:
    """Return the targets as they are written in the document."""
    return LINK_READERS[kind](body)


class LinkReader(HTMLParser):
    """A parser that collects `href`, `src`, `content` and the addresses of structured data."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.data = attributes.get("type") == "application/ld+json"
        self.links += (attributes[name] for name in ("href", "src") if name in attributes)
        if is_uri(attributes.get("content", "")):
            self.links.append(attributes["content"])

    def handle_data(self, data: str) -> None:
        if self.data:
            self.links += (link.partition("#")[0] for link in json_addresses(orjson.loads(data)))

    def handle_endtag(self, tag: str) -> None:
        self.data = False


def html_links(body: bytes) -> list[str]:
    reader = LinkReader()
    reader.feed(decode_text(body))
    reader.close()
    return reader.links


def json_addresses(value: Any) -> Iterator[str]:
    """Yield each text of a JSON value that is an address and nothing else."""
    if isinstance(value, str):
        if is_uri(value):
            yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from json_addresses(part)


def markdown_links(body: bytes) -> list[str]:
    return link_targets(decode_text(body))


def json_links(body: bytes) -> list[str]:
    return [*json_addresses(orjson.loads(body))]


def css_links(body: bytes) -> list[str]:
    return _CSS_URL.findall(decode_text(body))


def plain_text_links(body: bytes) -> list[str]:
    return [*plain_links.addresses_in(decode_text(body))]


def xml_links(body: bytes) -> list[str]:
    """Return the links of a site map or a feed."""
    links: list[str] = []
    # S314 warns of hostile XML; the project itself writes this text.
    for element in ET.fromstring(body).iter():  # noqa: S314
        texts = (*element.attrib.values(), (element.text or "").strip())
        links += filter(is_uri, texts)
    return links


def decode_text(body: bytes) -> str:
    return body.decode("utf-8", "replace")


LINK_READERS: dict[DocumentKind, Callable[[bytes], list[str]]] = {
    DocumentKind.HTML: html_links,
    DocumentKind.MARKDOWN: markdown_links,
    DocumentKind.JSON: json_links,
    DocumentKind.XML: xml_links,
    DocumentKind.CSS: css_links,
    DocumentKind.LINES: plain_text_links,
    DocumentKind.OPAQUE: lambda body: [],
}
