"""Find the links of a document to this site by patterns, because parsing it would be slow.

Patterns find every link, and sometimes one too many, such as an example of code. So `exact` reads
a document with a broken link again before the link counts as a failure.
"""

import html
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from urllib.parse import unquote_to_bytes, urljoin

from msgspec import Struct

from site_mirror.gates.forms import link_forms
from site_mirror.gates.kinds import DocumentKind

WINDOW_BYTES = 1 << 18
"""Bytes of a long text that are searched at once."""

_URI_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_INCOMPLETE_LINK = re.compile(rb"//|https?:(?!//[^/])", re.IGNORECASE)
_HEADER_TARGET = re.compile(rb"<([^>]*)>")
_AFTER_ROOT = (b"", b"/", b"?", b"#")


class DocumentLinks(Struct, frozen=True):
    """The links of a document: addresses of this site, and anchors.

    `own` are names of anchors of the document itself, `fragments` anchors of other pages as
    `address#name`. `incomplete` says that a link has a host without a scheme (`//host/`), or a
    scheme without the two slashes before a host (`https:/path`).
    """

    addresses: AbstractSet[bytes]
    own: AbstractSet[bytes] = frozenset()
    fragments: AbstractSet[bytes] = frozenset()
    incomplete: bool = False


def find_links(kind: DocumentKind, body: bytes, root: bytes, address: bytes) -> DocumentLinks:
    """Return the links of the document at an address; `root` is that of the site."""
    addresses: set[bytes] = set()
    others: set[bytes] = set()
    for part in split_into_windows(body):
        for form in link_forms(root)[kind]:
            form.read(part, addresses, others)
    return resolve_links(addresses, others, root, address) if others else DocumentLinks(addresses)


def resolve_links(
    addresses: set[bytes], others: set[bytes], root: bytes, address: bytes
) -> DocumentLinks:
    """Return the links of a document; `others` are those that are not yet addresses."""
    own, fragments = set(), set()
    incomplete = False
    for link in others:
        target, name = target_of(link, root) or join_link(link, address)
        if target:
            addresses.add(target)
        elif _INCOMPLETE_LINK.match(link):
            incomplete = True
        if name and (not target or target == address):
            own.add(name)
        elif name:
            fragments.add(b"%b#%b" % (target, name))
    return DocumentLinks(addresses, own, fragments, incomplete)


def split_into_windows(body: bytes) -> Iterator[bytes]:
    """Yield a body in parts of whole lines, so that not all its matches are in memory at once."""
    start = 0
    while len(body) - start > WINDOW_BYTES:
        end = body.rfind(b"\n", start, start + WINDOW_BYTES) + 1 or len(body)
        yield body[start:end]
        start = end
    yield body[start:] if start else body


@lru_cache(maxsize=8192)
def target_of(link: bytes, root: bytes) -> tuple[bytes, bytes] | None:
    """Return an address of this site and an anchor.

    Both are empty for a link to another site. The result is `None` for a relative link.
    """
    if link.startswith(root) and link[len(root) : len(root) + 1] in _AFTER_ROOT:
        return split_target(link[len(root) :] or b"/")
    first = link[:1]
    if first == b"/":
        return (b"", b"") if link[:2] == b"//" else split_target(link)
    if first == b"#":
        return b"", anchor_name(link[1:])
    return (b"", b"") if not link or _URI_SCHEME.match(link) else None


def join_link(link: bytes, address: bytes) -> tuple[bytes, bytes]:
    """Return the address and anchor of a relative link on the page at an address.

    Both are empty for a link that browsers cannot read.
    """
    try:
        return split_target(
            urljoin(address.decode("latin-1"), link.decode("latin-1")).encode("latin-1")
        )
    except ValueError:
        return b"", b""


def split_target(path: bytes) -> tuple[bytes, bytes]:
    if b"&" in path:
        path = html.unescape(path.decode("utf-8", "replace")).encode()
    path, _, name = path.partition(b"#")
    path = path.partition(b"?")[0] or b"/"
    return (unquote_to_bytes(path) if b"%" in path else path), anchor_name(name)


def anchor_name(fragment: bytes) -> bytes:
    """Return the name of an anchor, without text directives after `:~:` (URL Fragment Text)."""
    fragment = fragment.partition(b":~:")[0]
    return unquote_to_bytes(fragment) if b"%" in fragment else fragment


@lru_cache(maxsize=1024)
def header_links(value: str, root: bytes) -> AbstractSet[bytes]:
    """Return the addresses of this site in a `Link` header."""
    targets = (target_of(link, root) for link in _HEADER_TARGET.findall(value.encode()))
    return {target[0] for target in targets if target and target[0]}
