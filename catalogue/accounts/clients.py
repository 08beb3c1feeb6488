"""The identity of a client: its network, or a digest of the network where it is stored."""

from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64
"""A provider gives at least this network to one customer (RFC 6177)."""
UNKNOWN_CLIENT = "unknown"


def client_network(meta: Mapping[str, Any]) -> str:
    """Return the IPv4 address or the IPv6 /64 network of a client by a request's `META`.

    Behind a proxy, the last entry of `X-Forwarded-For` counts, because the proxy added it.
    """
    address = meta.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        address = meta.get("HTTP_X_FORWARDED_FOR", address).rpartition(",")[2]
    return format_network(address.strip())


def format_network(address: str) -> str:
    """Return the network of an address as text; `unknown` if the text is not an address.

    `::ffff:1.2.3.4` is the IPv4 address 1.2.3.4 (RFC 4291, section 2.5.5.2).
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return UNKNOWN_CLIENT
    if isinstance(parsed, IPv6Address):
        network = IPv6Network((int(parsed), IPV6_PREFIX), strict=False)
        return str(parsed.ipv4_mapped or network)
    return str(parsed)


def client_digest(request: HttpRequest) -> str:
    """Return a keyed digest of the client's network, in the form of an IPv6 address.

    The database column of failed log-ins must hold an address; only this digest is stored there.
    """
    digest = salted_hmac(__name__, client_network(request.META), algorithm="sha256").digest()
    return str(IPv6Address(digest[:16]))
