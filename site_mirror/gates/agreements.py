"""Agreements between a page and its alternates: its mirror and its translation.

An agreement is a text that two documents must both make. If only one of them makes it, that is a
disagreement, whichever of the two is wrong.
"""

import html
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import groupby

from msgspec import Struct

from site_mirror.gates.references import target_of

_HEAD_LINK = re.compile(rb"<link ([^>]*)>")
_LINK_ATTRIBUTE = re.compile(rb'([a-z]+)="([^"]*)"')
_HEADING = re.compile(rb"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
_CANONICAL_HEADER = re.compile(r'<([^>]*)>; rel="canonical"')
_HTML_TAG = re.compile(rb"<[^>]*>")
_MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&#?\w+;")


class DocumentAgreements(Struct, frozen=True):
    """The agreements that a document makes, and the faults of the document itself."""

    agreements: AbstractSet[bytes] = frozenset()
    faults: tuple[str, ...] = ()


NO_AGREEMENTS = DocumentAgreements()


def agreements_of_page(address: str, body: bytes, root: bytes) -> DocumentAgreements:
    """Return the agreements of a page with its alternates."""
    end = body.find(b"</head>")
    canonical, mirror, translations = read_head_links(body[:end], root)
    titles = _HEADING.findall(body, end)
    faults = []
    if len(titles) != 1:
        faults.append(f"{address} has {len(titles)} headings of the first level, not one")
    if canonical != address:
        faults.append(f"{address} names {canonical or 'no page'} as its canonical address")
    if not mirror:
        faults.append(f"{address} names no Markdown mirror")
    if translations and address not in translations.values():
        faults.append(f"{address} is not among its own alternates")
    agreements = {*translation_agreements(address, translations)} if translations else set()
    if mirror:
        agreements.add(mirror_agreement(address, mirror, title_of_page(titles)))
    return DocumentAgreements(agreements, tuple(faults))


def agreements_of_mirror(
    address: str, headers: Mapping[str, str], body: bytes, root: bytes
) -> DocumentAgreements:
    """Return no agreements for a Markdown file that names no canonical page: it is not a mirror."""
    canonical = _CANONICAL_HEADER.search(headers.get("Link", ""))
    if canonical is None:
        return NO_AGREEMENTS
    page, _ = target_of(canonical[1].encode(), root) or (b"", b"")
    pointer = b"<" + root + page + b">"
    faults = () if pointer in body[:4096] else (f"{address} does not link to its page",)
    return DocumentAgreements(
        {mirror_agreement(page.decode(), address, title_of_mirror(body))}, faults
    )


def mirror_agreement(page: str, mirror: str, title: str) -> bytes:
    return f"mirror\n{page}\n{mirror}\n{title}".encode()


def translation_agreements(address: str, translations: Mapping[str, str]) -> Iterator[bytes]:
    """Yield an agreement with each other page of a group; both pages make it of the whole group."""
    group = " ".join(f"{language}={page}" for language, page in sorted(translations.items()))
    for other in {*translations.values()} - {address}:
        yield "\n".join(("alternate", *sorted((address, other)), group)).encode()


def read_head_links(head: bytes, root: bytes) -> tuple[str, str, dict[str, str]]:
    """Return the canonical address, the mirror's, and the page's address by language."""
    canonical, mirror, translations = "", "", {}
    for tag in _HEAD_LINK.findall(head):
        if b'"canonical"' not in tag and b'"text/markdown"' not in tag and b"hreflang=" not in tag:
            continue
        link = dict(_LINK_ATTRIBUTE.findall(tag))
        target = (target_of(link.get(b"href", b""), root) or (b"",))[0].decode()
        if link.get(b"rel") == b"canonical":
            canonical = target
        elif link.get(b"rel") != b"alternate":
            continue
        elif link.get(b"type") == b"text/markdown":
            mirror = target
        elif b"hreflang" in link:
            translations[link[b"hreflang"].decode()] = target
    return canonical, mirror, translations


def title_of_page(titles: list[bytes]) -> str:
    """Return the text of the first heading as a browser shows it."""
    return html.unescape(_HTML_TAG.sub(b"", titles[0]).decode()).strip() if titles else ""


def title_of_mirror(body: bytes) -> str:
    """Return the text of the first line, or nothing if it is not a title."""
    first = body.partition(b"\n")[0]
    if not first.startswith(b"# "):
        return ""
    return _MARKDOWN_ESCAPE.sub(unescape_match, first[2:].decode()).strip()


def unescape_match(match: re.Match[str]) -> str:
    """Return an escaped character, or the character of an entity."""
    return match[1] or html.unescape(match[0])


def parse_agreement(agreement: bytes) -> tuple[str, str, str, str]:
    """Return the kind, the two addresses and the text that they agree on."""
    kind, one, other, text = agreement.decode().split("\n", 3)
    return kind, one, other, text


def describe_disagreements(unmatched: set[bytes]) -> Iterator[str]:
    """Yield a sentence about agreements that only one document made."""
    ordered = sorted(map(parse_agreement, unmatched))
    for (kind, one, other), group in groupby(ordered, key=lambda agreement: agreement[:3]):
        titles = [title for *_, title in group]
        if kind == "alternate":
            yield f"{one} and {other} do not name the same alternates"
        elif len(titles) == 1:
            yield f"{one} and its mirror {other} do not name each other"
        else:
            yield f"{one} and its mirror {other} have different titles: {' and '.join(titles)}"
