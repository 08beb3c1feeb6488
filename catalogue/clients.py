"""Clients told apart by their network address, without writing the address down."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64
"""A provider gives at least this network to one customer (RFC 6177)."""
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
    """The network of an address; `unknown` where it is not an address."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        if mapped is None:
            return str(IPv6Network((found, IPV6_PREFIX), strict=False))
        found = mapped
    return str(found)


def client_digest(request: HttpRequest) -> str:
    """A keyed digest of the client's network, in the form of an IPv6 address.

    The database column of failed log-ins wants an address; only this digest is stored in it.
    """
    digest = salted_hmac(__name__, client_network(request), algorithm="sha256").digest()
    return str(IPv6Address(digest[:16]))
