"""The forms that links have in the bytes of each kind of document."""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from site_mirror.gates.kinds import DocumentKind

_DEFINITION_MARK = re.compile(rb"\]:")
_LINK_DEFINITION = re.compile(rb"^\[(?!\^)[^\]\n]+\]:\s*<?([^\s>]*)", re.MULTILINE)


class LinkForm(Struct, frozen=True):
    """A pattern with two groups, of which one has the target of a link.

    The first group is an address of this site that needs no further reading: it begins with a
    slash and has no query, fragment, percent-encoding or entity. The second is any other target,
    without the `root` before it.
    """

    pattern: re.Pattern[bytes]
    root: bytes = b""

    def read(self, text: bytes, addresses: set[bytes], others: set[bytes]) -> None:
        """Add the links of a text to `addresses`, or to `others` if they need further reading."""
        links = self.pattern.findall(text)
        addresses.update([address for address, _ in links if address])
        others.update([self.root + other for address, other in links if not address])


class LinkDefinitions(Struct, frozen=True):
    """Link reference definitions of Markdown; definitions of footnotes are not links."""

    def read(self, text: bytes, addresses: set[bytes], others: set[bytes]) -> None:
        if _DEFINITION_MARK.search(text):
            others.update(_LINK_DEFINITION.findall(text))


def link_form(sign: bytes, end: bytes, root: bytes) -> LinkForm:
    """Return the form of links after a sign; `end` has the bytes before which a link ends."""
    return LinkForm(
        re.compile(rb"%b(?:%b(?=/(?!/)))?%b" % (sign, re.escape(root), target_pattern(end)))
    )


def rooted_link_form(sign: bytes, end: bytes, root: bytes) -> LinkForm:
    """Return the form of links after a sign that begin with the site's root."""
    return LinkForm(re.compile(sign + re.escape(root) + target_pattern(end)), root)


def target_pattern(end: bytes) -> bytes:
    return rb"(?:(/(?!/)[^?#%%&%b]*)[%b]|([^%b]*))" % (end, end, end)


@lru_cache(maxsize=2)
def link_forms(root: bytes) -> Mapping[DocumentKind, tuple[LinkForm | LinkDefinitions, ...]]:
    """Return the forms of links in each kind of document.

    In a page, quoted addresses of structured data count too, without their fragments, because
    those are identifiers.
    """
    quoted = rooted_link_form(b'"', rb'"\s', root)
    return {
        DocumentKind.HTML: (
            link_form(rb'=(?<=href=| src=)"', b'"', root),
            rooted_link_form(b'"', rb'"\s#', root),
        ),
        DocumentKind.MARKDOWN: (
            link_form(rb"\]\(<?", rb"\s)>", root),
            rooted_link_form(b"<", rb"\s)>", root),
            LinkDefinitions(),
        ),
        DocumentKind.JSON: (quoted,),
        DocumentKind.XML: (quoted, rooted_link_form(b">", rb"<\s", root)),
        DocumentKind.CSS: (link_form(rb"url\([\"']?(?!data:)", rb"\"')", root),),
        DocumentKind.LINES: (rooted_link_form(b"", rb"\s)>", root),),
        DocumentKind.OPAQUE: (),
    }
