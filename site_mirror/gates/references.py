"""Links of a document that lead to this site, read off its bytes.

What is found this way is never too little and seldom too much: an example of code may look like
a link. What then leads nowhere is read once more by `exact`, before it counts as a failure.
"""

import html
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from urllib.parse import unquote_to_bytes, urljoin

from msgspec import Struct

from site_mirror.gates.forms import forms
from site_mirror.gates.kinds import Kind

WINDOW = 1 << 18
"""Bytes of a long text that are looked at together."""

_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_INCOMPLETE = re.compile(rb"//|https?:(?!//[^/])", re.IGNORECASE)
_TARGET = re.compile(rb"<([^>]*)>")
_FOLLOWS = (b"", b"/", b"?", b"#")


class Found(Struct, frozen=True):
    """Addresses of this site, the names of places on the document's own page, and of others'.

    `incomplete` tells that a link has a host without a scheme (`//host/`), or a scheme without
    the two slashes that a host follows (`https:/path`).
    """

    addresses: AbstractSet[bytes]
    own: AbstractSet[bytes] = frozenset()
    fragments: AbstractSet[bytes] = frozenset()
    incomplete: bool = False


def found(kind: Kind, body: bytes, root: bytes, address: bytes) -> Found:
    """What a document links to; `root` is the site's, `address` the document's."""
    addresses: set[bytes] = set()
    others: set[bytes] = set()
    for part in windows(body):
        for form in forms(root)[kind]:
            form.read(part, addresses, others)
    return resolved(addresses, others, root, address) if others else Found(addresses)


def resolved(addresses: set[bytes], others: set[bytes], root: bytes, address: bytes) -> Found:
    """Adds to the addresses where other links lead, and tells the places."""
    own, fragments = set(), set()
    incomplete = False
    for link in others:
        target, name = target_of(link, root) or joined(link, address)
        if target:
            addresses.add(target)
        elif _INCOMPLETE.match(link):
            incomplete = True
        if name and (not target or target == address):
            own.add(name)
        elif name:
            fragments.add(b"%b#%b" % (target, name))
    return Found(addresses, own, fragments, incomplete)


def windows(body: bytes) -> Iterator[bytes]:
    """A body in parts that end with a line, so that a long one is never split at once."""
    start = 0
    while len(body) - start > WINDOW:
        end = body.rfind(b"\n", start, start + WINDOW) + 1 or len(body)
        yield body[start:end]
        start = end
    yield body[start:] if start else body


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
    """Resolve a relative link on the page at an address; both parts are empty for a broken link."""
    try:
        return split(urljoin(address.decode("latin-1"), link.decode("latin-1")).encode("latin-1"))
    except ValueError:
        return b"", b""


def split(path: bytes) -> tuple[bytes, bytes]:
    if b"&" in path:
        path = html.unescape(path.decode("utf-8", "replace")).encode()
    path, _, name = path.partition(b"#")
    path = path.partition(b"?")[0] or b"/"
    return (unquote_to_bytes(path) if b"%" in path else path), name_of(name)


def name_of(fragment: bytes) -> bytes:
    """The name of a place in a fragment, without the text directive that may follow it."""
    fragment = fragment.partition(b":~:")[0]
    return unquote_to_bytes(fragment) if b"%" in fragment else fragment


@lru_cache(maxsize=1024)
def of_header(value: str, root: bytes) -> AbstractSet[bytes]:
    """Addresses of this site in a `Link` header."""
    targets = (target_of(link, root) for link in _TARGET.findall(value.encode()))
    return {target[0] for target in targets if target and target[0]}
