"""Hosts that a published link must not lead to.

A link to another site is content. A link that works on nobody's machine but the editor's, or
that leads to this site by another name than its own, is a mistake.
"""

import re
from functools import lru_cache
from ipaddress import ip_address
from itertools import repeat
from unicodedata import normalize
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from site_mirror.host_names import NUMBER, is_ip_address, is_short_enough

LOCAL_SUFFIXES = ("localhost", "local", "internal", "test", "lan", "home.arpa", "invalid")
NOT_YET_PUBLIC = ("staging", "stage", "dev", "test", "preview", "preprod", "qa", "uat")
FOLLOWED = ("http", "https", "")
UNREADABLE = "has no host that can be read"

FORBIDDEN = re.compile(r"[\x00-\x20\x7f%<>\\^|]")
"""Characters that the URL Standard forbids in a host, but for those at which a host ends."""

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
    """What is wrong with the host of a link; nothing if it may be published."""
    try:
        parts, own = urlsplit(link), urlsplit(site.root)
        host = host_of(parts)
        own_host = own.hostname or ""
        has_port = parts.port != 0
    except ValueError:
        return UNREADABLE
    if parts.scheme not in FOLLOWED or not (parts.scheme or link.startswith("//")):
        return ""
    if not has_port or not is_readable(host):
        return UNREADABLE
    if is_local(host):
        return "" if is_local(own_host) else "leads to a machine that no reader reaches"
    exact = f"{parts.scheme}://{parts.netloc}" == site.root and link.startswith(site.root)
    is_leak = not exact and bare(host) == bare(own_host)
    return f"leads to this site by another name than {site.root}" if is_leak else ""


def host_of(parts: SplitResult) -> str:
    """The host of a link as browsers read it.

    Markdown percent-encodes a name in another script. Some scripts have digits and dots of
    their own.
    """
    written = unquote(parts.hostname or "")
    return normalize("NFKC", written).replace("。", ".").removesuffix(".")


def is_readable(host: str) -> bool:
    """Whether a browser can look up a host: an IP address, or a name in any script."""
    if ":" in host or NUMBER.fullmatch(host.rpartition(".")[2]):
        return is_ip_address(host)
    return is_short_enough(host) and not FORBIDDEN.search(host)


@lru_cache(maxsize=4096)
def is_local(host: str) -> bool:
    """Names and addresses that the public network does not know."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(tuple(f".{name}" for name in LOCAL_SUFFIXES))


def bare(host: str) -> str:
    """A host without what names a copy of it: `staging.studio.example` → `studio.example`."""
    first, _, rest = host.partition(".")
    words = first.split("-")
    if "." in rest and (first == "www" or {*words} <= {*NOT_YET_PUBLIC}):
        return rest
    kept = [word for word in words if word not in NOT_YET_PUBLIC]
    return f"{'-'.join(kept)}.{rest}" if kept else host
