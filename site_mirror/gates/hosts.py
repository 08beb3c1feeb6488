"""The gate `hosts`: published links must not lead to private hosts or to copies of this site.

A link to another public site is content. A link to a machine in a private network, or to this
site by another name than its own, is a mistake.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import unquote, urlsplit

import idna

LOCAL_SUFFIXES = (
    *("localhost", "localdomain", "local", "internal", "intranet", "corp", "home", "lan"),
    *("home.arpa", "test", "invalid"),
)
"""Domains that are not on the public internet: RFC 6761, RFC 6762, RFC 8375, and custom."""
COPY_NAMES = ("staging", "stage", "dev", "test", "preview", "preprod", "qa", "uat")
"""Words in the names of hosts that serve a copy of a site before it is public."""
GATE = "hosts"
HTTP_SCHEME = re.compile(r"https?:", re.IGNORECASE)
MAILTO = re.compile(r"mailto:", re.IGNORECASE)
UNREADABLE_HOST = "has no host that can be read"
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.IGNORECASE)
"""A label of a name. `_` is allowed, because container networks have it in names of hosts."""
MAX_NAME_CHARACTERS = 253
"""The length limit of a whole name (RFC 1035)."""
IPV4_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
"""A last label that makes a host an IPv4 address (URL Standard, “Host parsing”)."""
ACE_PREFIX = "xn--"
"""The prefix of a label in another script as DNS stores it (RFC 5890)."""


def find_host_faults(address: str, links: Iterable[str], root: str) -> Iterator[str]:
    for link in sorted(links):
        if fault := host_fault(link, root):
            yield f"{address} links to {link}, which {fault}"


@lru_cache(maxsize=4096)
def host_fault(link: str, root: str) -> str:
    if MAILTO.match(link):
        return mail_fault(link)
    if not (link.startswith("//") or HTTP_SCHEME.match(link)):
        return ""
    try:
        parts, own_host = urlsplit(link), urlsplit(root).hostname or ""
        host = host_for_lookup(parts.hostname or "")
        has_brackets = "[" in parts.netloc
        is_readable = parts.port != 0 and "%" not in host and has_brackets == (":" in host)
    except ValueError:
        return UNREADABLE_HOST
    if not (is_readable and is_host(host)):
        return UNREADABLE_HOST
    host = host.removesuffix(".")
    if is_local_host(host):
        return (
            "" if is_local_host(own_host) else "leads to a host that is not on the public internet"
        )
    exact = f"{parts.scheme}://{parts.netloc}" == root and link.startswith(root)
    is_leak = not exact and host_without_copy_name(host) == host_without_copy_name(own_host)
    return f"leads to this site by another name than {root}" if is_leak else ""


def mail_fault(link: str) -> str:
    """Return the fault of a `mailto:` link; empty if the link may be published.

    A link without an address is allowed: readers choose the address.
    """
    address = unquote(MAILTO.sub("", link).partition("?")[0])
    try:
        domain = host_for_lookup(address.rpartition("@")[2])
    except ValueError:
        return UNREADABLE_HOST
    return UNREADABLE_HOST if address and not is_host(domain) else ""


def host_for_lookup(written: str) -> str:
    """Return a host as a browser looks it up, in ASCII. Raises `ValueError`.

    Markdown percent-encodes a name in another script, and browsers decode it.
    """
    host = unquote(written)
    if ":" in host or (host.isascii() and ACE_PREFIX not in host):
        return host
    return idna.encode(host, uts46=True).decode()


def is_host(host: str) -> bool:
    """Whether a host is an IP address, without brackets, or a name (RFC 1123)."""
    labels = host.removesuffix(".").split(".")
    if ":" in host or IPV4_NUMBER.fullmatch(labels[-1]):
        return parse_ip_address(host.removesuffix(".")) is not None
    return len(".".join(labels)) <= MAX_NAME_CHARACTERS and all(map(LABEL.fullmatch, labels))


def parse_ip_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_local_host(host: str) -> bool:
    """Whether a name or an address is not on the public internet."""
    address = parse_ip_address(host)
    if address is None:
        return "." not in host or host.endswith(tuple(f".{name}" for name in LOCAL_SUFFIXES))
    return not address.is_global or address.is_multicast


def host_without_copy_name(host: str) -> str:
    """Return a host without the name of a copy: `staging.studio.example` → `studio.example`."""
    first, _, rest = host.partition(".")
    words = first.split("-")
    if "." in rest and (first == "www" or {*words} <= {*COPY_NAMES}):
        return rest
    kept = [word for word in words if word not in COPY_NAMES]
    return f"{'-'.join(kept)}.{rest}" if kept else host
