"""Every link of a document, read by a parser of its format: slow, and never wrong.

An example of code or a sentence that tells an address is no link.
"""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import orjson

from catalogue import plain_links
from catalogue.markdown.source import link_targets
from catalogue.plain_links import is_address
from site_mirror.gates.kinds import Kind

_URL = re.compile(r"url\([\"']?([^\"')]*)")


def links(kind: Kind, body: bytes) -> list[str]:
    """Targets as the document tells them."""
    return READERS[kind](body)


class LinkReader(HTMLParser):
    """Reads the attributes that lead somewhere, and structured data."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.data = attributes.get("type") == "application/ld+json"
        self.found += (attributes[name] for name in ("href", "src") if name in attributes)
        if is_address(attributes.get("content", "")):
            self.found.append(attributes["content"])

    def handle_data(self, data: str) -> None:
        if self.data:
            self.found += (link.partition("#")[0] for link in addresses_in(orjson.loads(data)))

    def handle_endtag(self, tag: str) -> None:
        self.data = False


def of_html(body: bytes) -> list[str]:
    reader = LinkReader()
    reader.feed(text_of(body))
    reader.close()
    return reader.found


def addresses_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value that is an address and nothing else."""
    if isinstance(value, str):
        if is_address(value):
            yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from addresses_in(part)


def of_markdown(body: bytes) -> list[str]:
    return link_targets(text_of(body))


def of_json(body: bytes) -> list[str]:
    return [*addresses_in(orjson.loads(body))]


def of_styles(body: bytes) -> list[str]:
    return _URL.findall(text_of(body))


def of_lines(body: bytes) -> list[str]:
    return [*plain_links.addresses_in(text_of(body))]


def of_xml(body: bytes) -> list[str]:
    """What a site map or a feed of this site leads to; the text is our own."""
    found: list[str] = []
    for element in ET.fromstring(body).iter():  # noqa: S314
        texts = (*element.attrib.values(), (element.text or "").strip())
        found += filter(is_address, texts)
    return found


def text_of(body: bytes) -> str:
    return body.decode("utf-8", "replace")


READERS: dict[Kind, Callable[[bytes], list[str]]] = {
    Kind.HTML: of_html,
    Kind.MARKDOWN: of_markdown,
    Kind.JSON: of_json,
    Kind.XML: of_xml,
    Kind.CSS: of_styles,
    Kind.LINES: of_lines,
    Kind.OPAQUE: lambda body: [],
}
