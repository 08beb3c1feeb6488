"""Read the links of a document once, with a parser of its format.

So an address in an example of code or in a sentence is not a link.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import unquote, urljoin
from xml.etree import ElementTree as ET

import orjson
from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser

from catalogue.addresses import without_fragment
from catalogue.links import plain_links
from catalogue.links.plain_links import is_uri
from catalogue.texts.markdown.mathml import NOT_SHOWN
from catalogue.texts.markdown.source import link_targets

_CSS_URL = re.compile(r"url\([\"']?([^\"')]*)")
# A pattern and not a parser, because a list has the items of ten thousand documents. A quote after
# a backslash does not begin a text. An alternative for each character would double the time, and so
# would a pattern that does not begin with its quote. The `id` of an article in a feed may be a
# former address.
_JSON_URI = re.compile(
    rb'"(?<!\\")(?<!"id":")([Hh][Tt][Tt][Pp][Ss]?://[^"\\\s]*(?:\\.[^"\\\s]*)*)"'
)
_URI_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONG_TARGET = re.compile("[?#%]")
_ATOM_ID = "{http://www.w3.org/2005/Atom}id"
"""An identifier, which may be a former address."""
_HEADER_TARGET = re.compile(r"<([^>]*)>")


class Page(Struct):
    """A page: its links, the names of its anchors, and what the gates compare.

    `translations` are the links to the page in each language, by language. `not_shown` are
    sentences in place of texts that cannot be shown.
    """

    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    canonical: str = ""
    mirror: str = ""
    translations: dict[str, str] = field(default_factory=dict)
    not_shown: list[str] = field(default_factory=list)


def read_page(body: bytes) -> Page:
    tree, page = LexborHTMLParser(body), Page()
    links, anchors = page.links, page.anchors
    for element in tree.css("[href], [src], [content], [id]"):
        attributes = element.attributes
        if target := attributes.get("href") or attributes.get("src"):
            links += [target, *narrower_files(attributes)]
            if "rel" in attributes and element.tag == "link":
                read_head_link(page, target, attributes)
        elif (content := attributes.get("content")) and is_uri(content):
            links.append(content)
        if name := attributes.get("id"):
            anchors.add(name)
    # One search for both, because each passes over the whole page.
    for element in tree.css("h1, script"):
        if element.tag == "h1":
            page.titles.append(element.text().strip())
        elif element.attributes.get("type") == "application/ld+json":
            # Without fragments, because those are identifiers.
            links += (without_fragment(link) for link in json_links(element.text().encode()))
    if NOT_SHOWN.encode() in body:
        page.not_shown = [element.text() for element in tree.css(f".{NOT_SHOWN}")]
    return page


def narrower_files(attributes: Mapping[str, str | None]) -> list[str]:
    """Return the addresses of the files among which a browser chooses."""
    files = attributes.get("srcset") or ""
    return [file.split()[0] for file in files.split(",") if file.strip()]


def read_head_link(page: Page, target: str, attributes: Mapping[str, str | None]) -> None:
    relation = attributes["rel"]
    if relation == "canonical":
        page.canonical = target
    elif relation == "alternate" and attributes.get("type") == "text/markdown":
        page.mirror = target
    elif relation == "alternate" and (language := attributes.get("hreflang")):
        page.translations[language] = target


def read_links(media_type: str, body: bytes) -> list[str]:
    name = media_type.partition(";")[0]
    if name.endswith("json"):
        return json_links(body)
    reader = LINK_READERS.get(name)
    return reader(body) if reader else []


def json_links(body: bytes) -> list[str]:
    """Return each text that is an address and nothing else."""
    links = _JSON_URI.findall(body)
    plain = [link.decode() for link in links if b"\\" not in link]
    escaped = [orjson.loads(b'"%b"' % link) for link in links if b"\\" in link]
    return plain + [link for link in escaped if is_uri(link)]


def markdown_links(body: bytes) -> list[str]:
    return link_targets(body.decode("utf-8", "replace"))


def plain_text_links(body: bytes) -> list[str]:
    """Return the addresses of a plain text; one with a title, such as `llms.txt`, is Markdown."""
    if body.startswith(b"# "):
        return markdown_links(body)
    return [*plain_links.addresses_in(body.decode("utf-8", "replace"))]


def xml_links(body: bytes) -> list[str]:
    links: list[str] = []
    # S314 warns of hostile XML; the project itself writes this text.
    for element in ET.fromstring(body).iter():  # noqa: S314
        text = "" if element.tag == _ATOM_ID else (element.text or "").strip()
        links += filter(is_uri, (*element.attrib.values(), text))
    return links


LINK_READERS: Mapping[str, Callable[[bytes], list[str]]] = {
    "text/html": lambda body: read_page(body).links,
    "text/markdown": markdown_links,
    "text/plain": plain_text_links,
    # A style sheet that loads a missing font is a dead link, too.
    "text/css": lambda body: _CSS_URL.findall(body.decode("utf-8", "replace")),
    "application/xml": xml_links,
    "application/atom+xml": xml_links,
}


def header_links(headers: Mapping[str, str]) -> list[str]:
    return _HEADER_TARGET.findall(headers.get("Link", ""))


def target_of(link: str, page: str, root: str) -> str:
    """Return the target of a link on a page: an address of this site, with `#name` of an anchor.

    The target is empty for a link to another site, and for one that browsers cannot read.
    """
    target = absolute_target(link, root)
    if target is not None:
        return target
    try:
        link = page + link if link.startswith("#") else urljoin(page, link)
    except ValueError:
        return ""
    return absolute_target(link, root) or ""


@lru_cache(maxsize=8192)  # Pages have most of their links in common.
def absolute_target(link: str, root: str) -> str | None:
    """Return the target of a link that is the same on every page; `None` of a relative link."""
    path = link.removeprefix(root)
    if path == link:
        if not link.startswith("/") or link.startswith("//"):
            return "" if not link or link.startswith("//") or _URI_SCHEME.match(link) else None
    elif path[:1] not in {"", "/", "?", "#"}:  # another host: `https://studio.example.org`
        return ""
    if not _LONG_TARGET.search(path):
        return path or "/"
    path, _, fragment = path.partition("#")
    address = unquote(path.partition("?")[0] or "/")
    # Without a text directive (URL Fragment Text). Browsers know the top of each page.
    name = unquote(fragment.partition(":~:")[0])
    return address if name in {"", "top"} else f"{address}#{name}"
