"""Ed25519 signatures of manifests (RFC 8032), with keys in the encoding of RFC 8410.

What is signed is the line that `sha256sum manifest.jsonl` prints, so that a manifest of any
size is signed at once and a shell can check it. A key is the one line between the markers of a
PEM file.
"""

from base64 import b64decode, b64encode
from binascii import Error

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from site_mirror.snapshot import checksums
from site_mirror.snapshot.errors import UnusableKey
from site_mirror.snapshot.layout import MANIFEST

PRIVATE = bytes.fromhex("302e020100300506032b657004220420")
PUBLIC = bytes.fromhex("302a300506032b6570032100")
LENGTH = 32


class Pair(Struct, frozen=True):
    """A private key and the public key that belongs to it."""

    private: str
    public: str


def new_pair() -> Pair:
    key = Ed25519PrivateKey.generate()
    private = b64encode(PRIVATE + key.private_bytes_raw()).decode()
    return Pair(private, public_of(private))


def public_of(private: str) -> str:
    """The public key that checks what a private key signs."""
    raw = private_key(private).public_key().public_bytes_raw()
    return b64encode(PUBLIC + raw).decode()


def sign(private: str, sha256: str) -> bytes:
    """The signature of a manifest by its checksum: 64 bytes, always the same."""
    return private_key(private).sign(statement(sha256))


def is_signed(public: str, sha256: str, signature: bytes) -> bool:
    try:
        public_key(public).verify(signature, statement(sha256))
    except InvalidSignature:
        return False
    return True


def statement(sha256: str) -> bytes:
    return checksums.line(MANIFEST, sha256)


def private_key(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(raw(text, PRIVATE, "private"))


def public_key(text: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(raw(text, PUBLIC, "public"))


def raw(text: str, prefix: bytes, kind: str) -> bytes:
    """The 32 bytes of a key. Raises `UnusableKey`."""
    try:
        found = b64decode(text.strip(), validate=True)
    except (Error, ValueError):
        raise UnusableKey(kind) from None
    if not found.startswith(prefix) or len(found) != len(prefix) + LENGTH:
        raise UnusableKey(kind)
    return found.removeprefix(prefix)
