"""Clients told apart by their network address, without writing the address down."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64
"""A provider gives at least this network to one customer (RFC 6177)."""
PREFIX_BYTES = IPV6_PREFIX // 8
UNKNOWN = "unknown"


def client_network(request: HttpRequest) -> str:
    """The IPv4 address or the IPv6 /64 network of a client.

    Behind a proxy, the proxy's own entry of `X-Forwarded-For` counts: the last one.
    """
    told = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        told = request.headers.get("X-Forwarded-For", told).rpartition(",")[2]
    return network(told.strip())


def network(address: str) -> str:
    """The network of an address as text; `unknown` for a text that is not an address."""
    try:
        packed = packed_network(address)
    except ValueError:
        return UNKNOWN
    if len(packed) == PREFIX_BYTES:
        return str(IPv6Network((packed + bytes(PREFIX_BYTES), IPV6_PREFIX)))
    return str(IPv4Address(packed))


def packed_network(address: str) -> bytes:
    """The IPv4 address or the IPv6 /64 of an address, in network byte order.

    `::ffff:1.2.3.4` is the IPv4 address 1.2.3.4 (RFC 4291, section 2.5.5.2). Raises `ValueError`.
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        return found.ipv4_mapped.packed if found.ipv4_mapped else found.packed[:PREFIX_BYTES]
    return found.packed


def client_digest(request: HttpRequest) -> str:
    """A keyed digest of the client's network, in the form of an IPv6 address.

    The database column of failed log-ins wants an address; only this digest is stored in it.
    """
    digest = salted_hmac(__name__, client_network(request), algorithm="sha256").digest()
    return str(IPv6Address(digest[:16]))
