"""The JSON shapes that wrap every answer, and their bytes. No framework is imported here.

A body is a mapping with a slot named `generatedAt`, in `meta` or at its top. The slot is
filled in a snapshot and left out live, so both hand out the same document.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import orjson
from msgspec import Struct

from api.contract import API_VERSION
from catalogue import addresses
from catalogue.addresses import Site

Body = dict[str, Any]

SLOT = "generatedAt"
GROUPS = 16
"""Groups of items in a slice of a list."""


def envelope(site: Site, address: str, data: Any) -> Body:
    """`self`, `meta` and `data` of a resource; a list has its count."""
    count = {"count": len(data)} if isinstance(data, list | Items) else {}
    meta = {"apiVersion": API_VERSION, "documentation": site.url(addresses.DOCUMENTATION)}
    return {
        "self": site.url(address),
        "meta": meta | count | {SLOT: None},
        "data": data,
    }


class Items(Struct, frozen=True):
    """The data of a list, encoded: groups of items, each with commas between them.

    Groups may be read anew whenever they are looked at.
    """

    groups: Iterable[bytes]
    count: int

    def __len__(self) -> int:
        return self.count

    def slices(self) -> Iterator["Items"]:
        """The items some groups at a time; at least one slice, whose count is that of all."""
        groups = iter(self.groups)
        yield Items(list(islice(groups, GROUPS)), self.count)
        while some := list(islice(groups, GROUPS)):
            yield Items(some, self.count)


def encoded_item(body: Mapping[str, Any]) -> bytes:
    """The data of a document, encoded as it stands in a list."""
    return composed(orjson.dumps(body["data"]))


def encode(body: Mapping[str, Any], generated_at: str | None = None) -> bytes:
    """Compact UTF-8 JSON in NFC with a final newline."""
    data = body.get("data")
    if isinstance(data, Items):
        return b"".join(parts(body, data, generated_at))
    stamped = stamp(body, generated_at)
    if "meta" in stamped:
        stamped = stamped | {"meta": stamp(stamped["meta"], generated_at)}
    return composed(orjson.dumps(stamped, option=orjson.OPT_APPEND_NEWLINE))


def parts(body: Mapping[str, Any], items: Items, generated_at: str | None) -> Iterator[bytes]:
    """The bytes of a list, a group of items at a time."""
    before, after = ends({**body, "data": []}, generated_at)
    yield before
    for number, group in enumerate(items.groups):
        yield b"," + group if number else group
    yield after


def ends(body: Mapping[str, Any], generated_at: str | None) -> tuple[bytes, bytes]:
    """What stands before and after the items of a list."""
    before, between, after = encode(body, generated_at).rpartition(b"[]")
    return before + between[:1], between[1:] + after


def stamp(mapping: Mapping[str, Any], generated_at: str | None) -> Body:
    """Fill the slot, or leave it out."""
    stamped = {**mapping}
    if SLOT in stamped and generated_at:
        stamped[SLOT] = generated_at
    else:
        stamped.pop(SLOT, None)
    return stamped


def composed(encoded: bytes) -> bytes:
    text = encoded.decode()
    return encoded if unicodedata.is_normalized("NFC", text) else normalized(text)


def normalized(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode()
