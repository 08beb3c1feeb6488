"""Which forms links have in the bytes of a text."""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from site_mirror.gates.kinds import Kind

_DEFINES = re.compile(rb"\]:")
_DEFINITION = re.compile(rb"^\[(?!\^)[^\]\n]+\]:\s*<?([^\s>]*)", re.MULTILINE)


class Form(Struct, frozen=True):
    """A pattern with two groups, of which one has what a link leads to.

    The first has an address of this site as it stands: from its first slash, and with nothing in
    it that is cut off or read in another way. The second has anything else, after the `root`.
    """

    pattern: re.Pattern[bytes]
    root: bytes = b""

    def read(self, text: bytes, addresses: set[bytes], others: set[bytes]) -> None:
        """Add the links of a text to those that are addresses as they stand, or to the others."""
        found = self.pattern.findall(text)
        addresses.update([address for address, _ in found if address])
        others.update([self.root + other for address, other in found if not address])


class Definitions(Struct, frozen=True):
    """Lines of Markdown that tell where named links lead; those of footnotes lead nowhere."""

    def read(self, text: bytes, addresses: set[bytes], others: set[bytes]) -> None:
        if _DEFINES.search(text):
            others.update(_DEFINITION.findall(text))


def linked(sign: bytes, end: bytes, root: bytes) -> Form:
    """What follows a sign is a link; `end` has the bytes before which it ends."""
    return Form(re.compile(rb"%b(?:%b(?=/(?!/)))?%b" % (sign, re.escape(root), target(end))))


def rooted(sign: bytes, end: bytes, root: bytes) -> Form:
    """The same of a sign after which only what begins with the site's root is a link."""
    return Form(re.compile(sign + re.escape(root) + target(end)), root)


def target(end: bytes) -> bytes:
    return rb"(?:(/(?!/)[^?#%%&%b]*)[%b]|([^%b]*))" % (end, end, end)


@lru_cache(maxsize=2)
def forms(root: bytes) -> Mapping[Kind, tuple[Form | Definitions, ...]]:
    """The forms of links in each kind of document.

    In a page quoted addresses count beside links, without names of places: these are identities.
    """
    quoted = rooted(b'"', rb'"\s', root)
    return {
        Kind.HTML: (linked(rb'=(?<=href=| src=)"', b'"', root), rooted(b'"', rb'"\s#', root)),
        Kind.MARKDOWN: (
            linked(rb"\]\(<?", rb"\s)>", root),
            rooted(b"<", rb"\s)>", root),
            Definitions(),
        ),
        Kind.JSON: (quoted,),
        Kind.XML: (quoted, rooted(b">", rb"<\s", root)),
        Kind.CSS: (linked(rb"url\([\"']?(?!data:)", rb"\"')", root),),
        Kind.LINES: (rooted(b"", rb"\s)>", root),),
        Kind.OPAQUE: (),
    }
