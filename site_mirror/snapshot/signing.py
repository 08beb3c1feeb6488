"""Ed25519 signatures of manifests (RFC 8032), with keys in the encoding of RFC 8410.

The signed message is the line that `sha256sum manifest.jsonl` prints, so that a shell can check the
signature and a manifest of any size is signed without reading it again. A key is the line between
the markers of a PEM file.
"""

from base64 import b64decode, b64encode
from binascii import Error

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from site_mirror.snapshot import checksums
from site_mirror.snapshot.errors import UnusableKey
from site_mirror.snapshot.layout import MANIFEST

PRIVATE_KEY_PREFIX = bytes.fromhex("302e020100300506032b657004220420")
PUBLIC_KEY_PREFIX = bytes.fromhex("302a300506032b6570032100")
KEY_BYTES = 32


class KeyPair(Struct, frozen=True):
    """A private key and the public key that belongs to it."""

    private: str
    public: str


def generate_key_pair() -> KeyPair:
    key = Ed25519PrivateKey.generate()
    private = b64encode(PRIVATE_KEY_PREFIX + key.private_bytes_raw()).decode()
    return KeyPair(private, public_key_of(private))


def public_key_of(private: str) -> str:
    """Return the public key that belongs to a private key."""
    raw = parse_private_key(private).public_key().public_bytes_raw()
    return b64encode(PUBLIC_KEY_PREFIX + raw).decode()


def sign_checksum(private: str, sha256: str) -> bytes:
    """Return the signature of a manifest with this checksum: 64 bytes, without randomness."""
    return parse_private_key(private).sign(signed_statement(sha256))


def is_signed(public: str, sha256: str, signature: bytes) -> bool:
    try:
        parse_public_key(public).verify(signature, signed_statement(sha256))
    except InvalidSignature:
        return False
    return True


def signed_statement(sha256: str) -> bytes:
    return checksums.format_checksum(MANIFEST, sha256)


def parse_private_key(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(decode_key(text, PRIVATE_KEY_PREFIX, "private"))


def parse_public_key(text: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(decode_key(text, PUBLIC_KEY_PREFIX, "public"))


def decode_key(text: str, prefix: bytes, kind: str) -> bytes:
    """Return the 32 bytes of a key. Raises `UnusableKey`."""
    try:
        decoded = b64decode(text.strip(), validate=True)
    except (Error, ValueError):
        raise UnusableKey(kind) from None
    if not decoded.startswith(prefix) or len(decoded) != len(prefix) + KEY_BYTES:
        raise UnusableKey(kind)
    return decoded.removeprefix(prefix)
