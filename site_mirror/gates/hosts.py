"""The gate `hosts`: published links must not lead to private hosts or to copies of this site.

A link to another public site is content. A link to a machine in a private network, or to this
site by another name than its own, is a mistake.
"""

import re
from functools import lru_cache
from ipaddress import ip_address
from itertools import repeat
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from site_mirror.host_names import ascii_name, has_wrong_brackets, is_host

LOCAL_SUFFIXES = (
    *("localhost", "localdomain", "local", "internal", "intranet", "corp", "home", "lan"),
    *("home.arpa", "test", "invalid"),
)
"""Domains that are not on the public internet: RFC 6761, RFC 6762, RFC 8375, and custom."""
COPY_NAMES = ("staging", "stage", "dev", "test", "preview", "preprod", "qa", "uat")
"""Words in the names of hosts that serve a copy of a site before it is public."""
HTTP_SCHEME = re.compile(r"https?:", re.IGNORECASE)
MAILTO = re.compile(r"mailto:", re.IGNORECASE)
UNREADABLE_HOST = "has no host that can be read"

_HOST_ENDS = rb"\s/\"'<>?#\\&)`"


class OwnOrigin(Struct, frozen=True):
    """The one origin that links may name as this site's."""

    root: str

    @property
    def authority(self) -> str:
        return self.root.partition("://")[2]


def scan_addresses(body: bytes, site: OwnOrigin) -> tuple[int, bool]:
    """Return the number of absolute addresses of a text, and whether one may be a leak."""
    hosts = absolute_address_pattern(site.root).findall(body)
    return len(hosts), any(map(is_suspicious, {*hosts} - {b""}, repeat(site.root)))


@lru_cache(maxsize=2)
def absolute_address_pattern(root: str) -> re.Pattern[bytes]:
    """Return a pattern of absolute addresses; its group has a host other than the root's."""
    scheme, _, authority = (re.escape(part) for part in root.encode().partition(b"://"))
    own = rb"(?<=%b://)%b(?![^%b])" % (scheme, authority, _HOST_ENDS)
    return re.compile(rb"://(?:%b|([^%b]*))" % (own, _HOST_ENDS))


@lru_cache(maxsize=4096)
def is_suspicious(host: bytes, root: str) -> bool:
    """Whether a link may be a leak, judged by its host.

    The host of this site is suspicious, because here it has another scheme than the root.
    """
    name, own = host.decode("utf-8", "replace"), OwnOrigin(root)
    return name == own.authority or bool(host_fault(f"http://{name}", own))


def host_fault(link: str, site: OwnOrigin) -> str:
    """Return the fault of a link's host, or nothing if the link may be published."""
    if MAILTO.match(link):
        return mail_fault(link)
    if not (link.startswith("//") or HTTP_SCHEME.match(link)):
        return ""
    try:
        parts, own_host = urlsplit(link), urlsplit(site.root).hostname or ""
        host = host_for_lookup(parts.hostname or "")
        is_readable = parts.port != 0 and "%" not in host and not has_wrong_brackets(parts)
    except ValueError:
        return UNREADABLE_HOST
    if not (is_readable and is_host(host)):
        return UNREADABLE_HOST
    host = host.removesuffix(".")
    if is_local_host(host):
        return (
            "" if is_local_host(own_host) else "leads to a host that is not on the public internet"
        )
    exact = f"{parts.scheme}://{parts.netloc}" == site.root and link.startswith(site.root)
    is_leak = not exact and host_without_copy_name(host) == host_without_copy_name(own_host)
    return f"leads to this site by another name than {site.root}" if is_leak else ""


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
    """Return a host as a browser looks it up. Raises `ValueError`.

    Markdown percent-encodes a name in another script, and browsers decode it.
    """
    host = unquote(written)
    return host if ":" in host else ascii_name(host)


@lru_cache(maxsize=4096)
def is_local_host(host: str) -> bool:
    """Whether a name or an address is not on the public internet."""
    try:
        address = ip_address(host)
    except ValueError:
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
