"""The JSON envelope of every response, and its bytes. No framework is imported here.

A body is a mapping with the member `generatedAt`, in `meta` or at its top. A snapshot fills it and
the live origin leaves it out; everything else of the document is the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from api.contract import API_VERSION
from catalogue import addresses
from catalogue.addresses import Site

Body = dict[str, Any]

GENERATED_AT = "generatedAt"


def envelope(site: Site, address: str, data: Any) -> Body:
    """Return `self`, `meta` and `data` of a resource; `meta` of a list has its count."""
    count = {"count": len(data)} if isinstance(data, list) else {}
    meta = {"apiVersion": API_VERSION, "documentation": site.url(addresses.DOCUMENTATION)}
    return {
        "self": site.url(address),
        "meta": meta | count | {GENERATED_AT: None},
        "data": data,
    }


def join_items(body: Body, items: Sequence[bytes]) -> Body:
    """Return the body of an empty list with items that are encoded already."""
    data = [orjson.Fragment(item) for item in items]
    return body | {"meta": body["meta"] | {"count": len(items)}, "data": data}


def encode_item(body: Mapping[str, Any]) -> bytes:
    """Encode the data of a document as an item of a list."""
    return orjson.dumps(body["data"])


def encode_body(body: Mapping[str, Any], generated_at: str | None = None) -> bytes:
    """Encode a body as compact UTF-8 JSON with a final newline; its texts are in NFC already."""
    filled = fill_slot(body, generated_at)
    if "meta" in filled:
        filled = filled | {"meta": fill_slot(filled["meta"], generated_at)}
    return orjson.dumps(filled, option=orjson.OPT_APPEND_NEWLINE)


def fill_slot(mapping: Mapping[str, Any], generated_at: str | None) -> Body:
    """Return a mapping with its `generatedAt` filled, or without it."""
    filled = {**mapping}
    if GENERATED_AT in filled and generated_at:
        filled[GENERATED_AT] = generated_at
    else:
        filled.pop(GENERATED_AT, None)
    return filled
