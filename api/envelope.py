"""The JSON envelope of every response, and its bytes. No framework is imported here.

A body is a mapping with the member `generatedAt`, in `meta` or at its top. A snapshot fills it and
the live origin leaves it out; everything else of the document is the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from unicodedata import is_normalized, normalize

import orjson
from msgspec import Struct

from api.contract import API_VERSION
from catalogue import addresses
from catalogue.addresses import Site

Body = dict[str, Any]

GENERATED_AT = "generatedAt"
GROUPS_PER_SLICE = 16
"""Limit of the groups of items in a slice of a list."""


def envelope(site: Site, address: str, data: Any) -> Body:
    """Return `self`, `meta` and `data` of a resource; `meta` of a list has its count."""
    count = {"count": len(data)} if isinstance(data, list | Items) else {}
    meta = {"apiVersion": API_VERSION, "documentation": site.url(addresses.DOCUMENTATION)}
    return {
        "self": site.url(address),
        "meta": meta | count | {GENERATED_AT: None},
        "data": data,
    }


class Items(Struct, frozen=True):
    """The data of a list, encoded: groups of items, each with commas between them.

    Groups may be read again with every iteration.
    """

    groups: Iterable[bytes]
    count: int

    def __len__(self) -> int:
        return self.count

    def slices(self) -> Iterator["Items"]:
        """Yield the items in slices of several groups, at least one; each has the whole count."""
        groups = iter(self.groups)
        yield Items(list(islice(groups, GROUPS_PER_SLICE)), self.count)
        while part := list(islice(groups, GROUPS_PER_SLICE)):
            yield Items(part, self.count)


def encode_item(body: Mapping[str, Any]) -> bytes:
    """Encode the data of a document as an item of a list."""
    return normalize_json(orjson.dumps(body["data"]))


def encode_body(body: Mapping[str, Any], generated_at: str | None = None) -> bytes:
    """Encode a body as compact UTF-8 JSON in NFC, with a final newline."""
    data = body.get("data")
    if isinstance(data, Items):
        return b"".join(encode_parts(body, data, generated_at))
    filled = fill_slot(body, generated_at)
    if "meta" in filled:
        filled = filled | {"meta": fill_slot(filled["meta"], generated_at)}
    return normalize_json(orjson.dumps(filled, option=orjson.OPT_APPEND_NEWLINE))


def encode_parts(
    body: Mapping[str, Any], items: Items, generated_at: str | None
) -> Iterator[bytes]:
    """Yield the bytes of a list, one group of items at a time."""
    before, after = encode_ends({**body, "data": []}, generated_at)
    yield before
    for number, group in enumerate(items.groups):
        yield b"," + group if number else group
    yield after


def encode_ends(body: Mapping[str, Any], generated_at: str | None) -> tuple[bytes, bytes]:
    before, between, after = encode_body(body, generated_at).rpartition(b"[]")
    return before + between[:1], between[1:] + after


def fill_slot(mapping: Mapping[str, Any], generated_at: str | None) -> Body:
    """Return a mapping with its `generatedAt` filled, or without it."""
    filled = {**mapping}
    if GENERATED_AT in filled and generated_at:
        filled[GENERATED_AT] = generated_at
    else:
        filled.pop(GENERATED_AT, None)
    return filled


def normalize_json(encoded: bytes) -> bytes:
    text = encoded.decode()
    return encoded if is_normalized("NFC", text) else normalize("NFC", text).encode()
