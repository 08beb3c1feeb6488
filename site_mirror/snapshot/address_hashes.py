"""Addresses as hashes of eight bytes, the same on every machine.

A site of 100,000 posts has a million addresses; as texts they would take most of the memory of a
freeze.
"""

import sys
from array import array
from collections.abc import Iterable
from hashlib import blake2b

SIZE_BYTES = 8


def address_hash(address: bytes) -> int:
    """Return the hash of one address as a number."""
    return int.from_bytes(blake2b(address, digest_size=SIZE_BYTES).digest(), "little")


def pack_hashes(addresses: Iterable[bytes]) -> bytes:
    """Return the concatenated hashes of addresses."""
    return b"".join([blake2b(address, digest_size=SIZE_BYTES).digest() for address in addresses])


def unpack_hashes(packed: bytes) -> "array[int]":
    """Return the numbers of `pack_hashes`."""
    hashes = array("Q")
    hashes.frombytes(packed)
    if sys.byteorder == "big":
        hashes.byteswap()
    return hashes
