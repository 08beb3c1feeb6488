"""Links of a document that lead to this site, read off its bytes.

What is found this way is never too little and seldom too much: an example of code may look like
a link. What then leads nowhere is read once more by `exact`, before it counts as a failure.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from urllib.parse import unquote_to_bytes, urljoin

from site_mirror.gates.kinds import Kind

WINDOW = 1 << 18
"""Bytes of a long text that are looked at together."""

_HREF = re.compile(rb'href="([^"]*)"')
_SRC = re.compile(rb' src="([^"]*)"')
_MARKDOWN = re.compile(rb"\]\(<?([^\s)>]*)")
_END = re.compile(rb"[\s)>]")
_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_URL = re.compile(rb"url\([\"']?([^\"')]*)")
_TARGET = re.compile(r"<([^>]*)>")
_DEFINITION = re.compile(rb"^\[[^\]\n]+\]:\s*(\S+)", re.MULTILINE)
_FOLLOWS = (b"", b"/", b"?", b"#")


@dataclass(frozen=True, slots=True)
class Found:
    """Addresses of this site, the names of places on the document's own page, and of others'.

    `unschemed` tells that a link begins with `//`, which names a host and no scheme.
    """

    addresses: frozenset[bytes]
    own: frozenset[bytes]
    fragments: frozenset[bytes]
    unschemed: bool


def found(kind: Kind, body: bytes, root: bytes, address: bytes) -> Found:
    """What a document links to; `root` is the site's, `address` the document's."""
    links: set[bytes] = set()
    mentions: set[bytes] = set()
    for part in windows(body):
        links.update(LINKS[kind](part, root))
        if kind is Kind.HTML:
            mentions.update(quoted(part, root))
    return resolved(links, mentions - links, root, address)


def windows(body: bytes) -> Iterator[bytes]:
    """A body in parts that end with a line, so that a long one is never split at once."""
    start = 0
    while len(body) - start > WINDOW:
        end = body.rfind(b"\n", start, start + WINDOW) + 1 or len(body)
        yield body[start:end]
        start = end
    yield body[start:] if start else body


def resolved(
    links: Iterable[bytes], mentions: Iterable[bytes], root: bytes, address: bytes
) -> Found:
    """Targets as addresses. Names of places count in links alone: elsewhere they are identities."""
    addresses, own, fragments = set(), set(), set()
    unschemed = False
    for link in links:
        target, name = target_of(link, root) or joined(link, address)
        if target:
            addresses.add(target)
        if name and target in (b"", address):
            own.add(name)
        elif name:
            fragments.add(target + b"#" + name)
        unschemed = unschemed or link[:2] == b"//"
    for mention in mentions:
        target, _ = target_of(mention, root) or (b"", b"")
        if target:
            addresses.add(target)
    return Found(frozenset(addresses), frozenset(own), frozenset(fragments), unschemed)


@lru_cache(maxsize=8192)
def target_of(link: bytes, root: bytes) -> tuple[bytes, bytes] | None:
    """An address of this site and a place on it; both empty elsewhere, `None` if relative."""
    if link.startswith(root) and link[len(root) : len(root) + 1] in _FOLLOWS:
        return split(link[len(root) :] or b"/")
    first = link[:1]
    if first == b"/":
        return (b"", b"") if link[:2] == b"//" else split(link)
    if first == b"#":
        return b"", name_of(link[1:])
    return (b"", b"") if not link or _SCHEME.match(link) else None


def joined(link: bytes, address: bytes) -> tuple[bytes, bytes]:
    return split(urljoin(address, link))


def split(path: bytes) -> tuple[bytes, bytes]:
    path, _, name = path.partition(b"#")
    path = path.partition(b"?")[0] or b"/"
    if b"&" in path:
        path = html.unescape(path.decode("utf-8", "replace")).encode()
    return (unquote_to_bytes(path) if b"%" in path else path), name_of(name)


def name_of(fragment: bytes) -> bytes:
    return unquote_to_bytes(fragment) if b"%" in fragment else fragment


def attributes(body: bytes, root: bytes) -> Iterator[bytes]:
    return chain(_HREF.findall(body), _SRC.findall(body))


def quoted(body: bytes, root: bytes) -> Iterator[bytes]:
    """Values in quotes that begin with the site's root; one with a blank is a text."""
    for part in body.split(b'"' + root)[1:]:
        value = part.partition(b'"')[0]
        if b" " not in value:
            yield root + value


def in_elements(body: bytes, root: bytes) -> Iterator[bytes]:
    yield from quoted(body, root)
    for part in body.split(b">" + root)[1:]:
        yield root + part.partition(b"<")[0]


def in_markdown(body: bytes, root: bytes) -> Iterator[bytes]:
    yield from _MARKDOWN.findall(body)
    for part in body.split(b"<" + root)[1:]:
        yield root + _END.split(part, maxsplit=1)[0]
    if b"]: " in body:
        yield from (target.strip(b"<>") for target in _DEFINITION.findall(body))


def in_lines(body: bytes, root: bytes) -> Iterator[bytes]:
    for part in body.split(root)[1:]:
        yield root + _END.split(part, maxsplit=1)[0]


def in_styles(body: bytes, root: bytes) -> Iterator[bytes]:
    return (target for target in _URL.findall(body) if not target.startswith(b"data:"))


def nowhere(body: bytes, root: bytes) -> Iterator[bytes]:
    return iter(())


LINKS = {
    Kind.HTML: attributes,
    Kind.MARKDOWN: in_markdown,
    Kind.JSON: quoted,
    Kind.XML: in_elements,
    Kind.CSS: in_styles,
    Kind.LINES: in_lines,
    Kind.OPAQUE: nowhere,
}


@lru_cache(maxsize=1024)
def of_header(value: str, root: bytes) -> frozenset[bytes]:
    """Addresses of this site in a `Link` header."""
    found_targets = (target_of(link.encode(), root) for link in _TARGET.findall(value))
    return frozenset(target[0] for target in found_targets if target and target[0])
