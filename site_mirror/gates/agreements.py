"""What a page says of its mirror and its translations, and what they say back.

Each agreement is a text that two documents must make alike. One that only one of them makes is
a disagreement, whichever is wrong.
"""

import html
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import groupby

from msgspec import Struct

from site_mirror.gates.references import target_of

_POINTER = re.compile(rb"<link ([^>]*)>")
_ATTRIBUTE = re.compile(rb'([a-z]+)="([^"]*)"')
_HEADING = re.compile(rb"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
_CANONICAL = re.compile(r'<([^>]*)>; rel="canonical"')
_TAG = re.compile(rb"<[^>]*>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&#?\w+;")


class Said(Struct, frozen=True):
    """The agreements that a document makes, and what is wrong with it by itself."""

    agreements: AbstractSet[bytes] = frozenset()
    faults: tuple[str, ...] = ()


NOTHING = Said()


def of_page(address: str, body: bytes, root: bytes) -> Said:
    end = body.find(b"</head>")
    canonical, mirror, translations = pointed(body[:end], root)
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
    agreed = {*among(address, translations)} if translations else set()
    if mirror:
        agreed.add(pair(address, mirror, title_of_page(titles)))
    return Said(agreed, tuple(faults))


def of_mirror(address: str, headers: Mapping[str, str], body: bytes, root: bytes) -> Said:
    """Nothing for a Markdown file that is no mirror: it names no canonical page."""
    found = _CANONICAL.search(headers.get("Link", ""))
    if found is None:
        return NOTHING
    page, _ = target_of(found[1].encode(), root) or (b"", b"")
    pointer = b"<" + root + page + b">"
    faults = () if pointer in body[:4096] else (f"{address} does not tell where its page is",)
    return Said({pair(page.decode(), address, title_of_mirror(body))}, faults)


def pair(page: str, mirror: str, title: str) -> bytes:
    return f"mirror\n{page}\n{mirror}\n{title}".encode()


def among(address: str, translations: Mapping[str, str]) -> Iterator[bytes]:
    """One agreement with each other page of a group, which both make of the whole group."""
    group = " ".join(f"{language}={page}" for language, page in sorted(translations.items()))
    for other in {*translations.values()} - {address}:
        yield "\n".join(("alternate", *sorted((address, other)), group)).encode()


def pointed(head: bytes, root: bytes) -> tuple[str, str, dict[str, str]]:
    """The canonical address, the mirror, and the page in each language."""
    canonical, mirror, translations = "", "", {}
    for tag in _POINTER.findall(head):
        if b'"canonical"' not in tag and b'"text/markdown"' not in tag and b"hreflang=" not in tag:
            continue
        link = dict(_ATTRIBUTE.findall(tag))
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
    """The first of its headings as a reader sees it."""
    return html.unescape(_TAG.sub(b"", titles[0]).decode()).strip() if titles else ""


def title_of_mirror(body: bytes) -> str:
    """The first line as a reader sees it; nothing if it is no title."""
    first = body.partition(b"\n")[0]
    if not first.startswith(b"# "):
        return ""
    return _ESCAPED.sub(shown, first[2:].decode()).strip()


def shown(found: re.Match[str]) -> str:
    """An escaped sign, or what an entity stands for."""
    return found[1] or html.unescape(found[0])


def told(agreement: bytes) -> tuple[str, str, str, str]:
    """The kind, two addresses, and what they agree on."""
    kind, one, other, what = agreement.decode().split("\n", 3)
    return kind, one, other, what


def disagreements(left: set[bytes]) -> Iterator[str]:
    """Agreements that only one document made, as sentences."""
    ordered = sorted(map(told, left))
    for (kind, one, other), group in groupby(ordered, key=lambda said: said[:3]):
        found = [what for *_, what in group]
        if kind == "alternate":
            yield f"{one} and {other} do not name the same alternates"
        elif len(found) == 1:
            yield f"{one} and its mirror {other} do not name each other"
        else:
            yield f"{one} and its mirror {other} have different titles: {' and '.join(found)}"
