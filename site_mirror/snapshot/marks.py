"""Addresses as numbers of eight bytes: little to keep and to compare, and the same everywhere."""

import sys
from array import array
from collections.abc import Iterable
from hashlib import blake2b

SIZE = 8


def mark(address: bytes) -> int:
    return int.from_bytes(blake2b(address, digest_size=SIZE).digest(), "little")


def packed(addresses: Iterable[bytes]) -> bytes:
    """The marks of addresses, one after the other."""
    return b"".join(blake2b(address, digest_size=SIZE).digest() for address in addresses)


def unpacked(marks: bytes) -> "array[int]":
    found = array("Q")
    found.frombytes(marks)
    if sys.byteorder == "big":
        found.byteswap()
    return found
