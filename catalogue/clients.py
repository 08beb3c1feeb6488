"""The identity of a client: its network, or a digest of the network where it is stored."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64
"""A provider gives at least this network to one customer (RFC 6177)."""
IPV6_PREFIX_BYTES = IPV6_PREFIX // 8
UNKNOWN_CLIENT = "unknown"


def client_network(request: HttpRequest) -> str:
    """Return the IPv4 address or the IPv6 /64 network of a client.

    Behind a proxy, the last entry of `X-Forwarded-For` counts, because the proxy added it.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2]
    return format_network(address.strip())


def format_network(address: str) -> str:
    """Return the network of an address as text; `unknown` if the text is not an address."""
    try:
        packed = packed_network(address)
    except ValueError:
        return UNKNOWN_CLIENT
    if len(packed) == IPV6_PREFIX_BYTES:
        return str(IPv6Network((packed + bytes(IPV6_PREFIX_BYTES), IPV6_PREFIX)))
    return str(IPv4Address(packed))


def packed_network(address: str) -> bytes:
    """Return the IPv4 address or the IPv6 /64 network of an address, in network byte order.

    `::ffff:1.2.3.4` is the IPv4 address 1.2.3.4 (RFC 4291, section 2.5.5.2). Raises `ValueError`.
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return mapped.packed if mapped else parsed.packed[:IPV6_PREFIX_BYTES]
    return parsed.packed


def client_digest(request: HttpRequest) -> str:
    """Return a keyed digest of the client's network, in the form of an IPv6 address.

    The database column of failed log-ins must hold an address; only this digest is stored there.
    """
    digest = salted_hmac(__name__, client_network(request), algorithm="sha256").digest()
    return str(IPv6Address(digest[:16]))
