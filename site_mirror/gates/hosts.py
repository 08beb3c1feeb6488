"""Hosts that a published link must not lead to.

A link to another site is content. A link that works on nobody's machine but the editor's, or
that leads to this site by another name than its own, is a mistake.
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
"""Domains of no public network: RFC 6761, RFC 6762, RFC 8375, and names of private networks."""
NOT_YET_PUBLIC = ("staging", "stage", "dev", "test", "preview", "preprod", "qa", "uat")
FOLLOWED = re.compile(r"https?:", re.IGNORECASE)
MAIL = re.compile(r"mailto:", re.IGNORECASE)
UNREADABLE = "has no host that can be read"

_ENDS = rb"\s/\"'<>?#\\&)`"


class Site(Struct, frozen=True):
    """The one origin that links may name as this site's."""

    root: str

    @property
    def authority(self) -> str:
        return self.root.partition("://")[2]


def looked_at(body: bytes, site: Site) -> tuple[int, bool]:
    """How many absolute addresses a text has, and whether one of them may be a leak."""
    hosts = absolute(site.root).findall(body)
    return len(hosts), any(map(suspicious, {*hosts} - {b""}, repeat(site.root)))


@lru_cache(maxsize=2)
def absolute(root: str) -> re.Pattern[bytes]:
    """Absolute addresses; the group has the host of those that do not begin with the root."""
    scheme, _, authority = (re.escape(part) for part in root.encode().partition(b"://"))
    own = rb"(?<=%b://)%b(?![^%b])" % (scheme, authority, _ENDS)
    return re.compile(rb"://(?:%b|([^%b]*))" % (own, _ENDS))


@lru_cache(maxsize=4096)
def suspicious(host: bytes, root: str) -> bool:
    """Whether a link may be a leak, as far as its host tells; this site's has another scheme."""
    name, own = host.decode("utf-8", "replace"), Site(root)
    return name == own.authority or bool(fault(f"http://{name}", own))


def fault(link: str, site: Site) -> str:
    """The fault of a link's host; empty if the link may be published."""
    if MAIL.match(link):
        return fault_of_mail(link)
    if not (link.startswith("//") or FOLLOWED.match(link)):
        return ""
    try:
        parts, own_host = urlsplit(link), urlsplit(site.root).hostname or ""
        host = host_of(parts.hostname or "")
        is_readable = parts.port != 0 and "%" not in host and not has_wrong_brackets(parts)
    except ValueError:
        return UNREADABLE
    if not (is_readable and is_host(host)):
        return UNREADABLE
    host = host.removesuffix(".")
    if is_local(host):
        return "" if is_local(own_host) else "leads to a machine that no reader reaches"
    exact = f"{parts.scheme}://{parts.netloc}" == site.root and link.startswith(site.root)
    is_leak = not exact and bare(host) == bare(own_host)
    return f"leads to this site by another name than {site.root}" if is_leak else ""


def fault_of_mail(link: str) -> str:
    """The fault of a `mailto:` link; empty if it may be published.

    A link without an address is allowed: readers choose the address.
    """
    address = unquote(MAIL.sub("", link).partition("?")[0])
    try:
        domain = host_of(address.rpartition("@")[2])
    except ValueError:
        return UNREADABLE
    return UNREADABLE if address and not is_host(domain) else ""


def host_of(written: str) -> str:
    """A host as a browser looks it up. Raises `ValueError`.

    Markdown percent-encodes a name in another script, and browsers decode it.
    """
    host = unquote(written)
    return host if ":" in host else ascii_name(host)


@lru_cache(maxsize=4096)
def is_local(host: str) -> bool:
    """Names and addresses that the public network does not know."""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(tuple(f".{name}" for name in LOCAL_SUFFIXES))
    return not address.is_global or address.is_multicast


def bare(host: str) -> str:
    """A host without what names a copy of it: `staging.studio.example` → `studio.example`."""
    first, _, rest = host.partition(".")
    words = first.split("-")
    if "." in rest and (first == "www" or {*words} <= {*NOT_YET_PUBLIC}):
        return rest
    kept = [word for word in words if word not in NOT_YET_PUBLIC]
    return f"{'-'.join(kept)}.{rest}" if kept else host
