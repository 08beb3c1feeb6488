"""Validation of hosts: IP addresses and names, in ASCII or in another script."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult

import idna

LABEL = re.compile(r"[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?")
"""A label of a name. `_` is allowed, because container networks have it in names of hosts."""
MAX_NAME_CHARACTERS = 253
"""The length limit of a whole name (RFC 1035)."""
IPV4_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
"""A last label that makes a host an IPv4 address (URL Standard, “Host parsing”)."""
ACE_PREFIX = "xn--"
"""The prefix of a label in another script as DNS stores it (RFC 5890)."""


def is_host(host: str) -> bool:
    """Whether a host is an IP address, without brackets, or a name in ASCII (RFC 1123)."""
    name = host.removesuffix(".")
    if ":" in host or IPV4_NUMBER.fullmatch(name.rpartition(".")[2]):
        return is_ip_address(name)
    return name.isascii() and is_name(name)


def is_name(name: str) -> bool:
    """Whether DNS can store a name in any script."""
    try:
        stored = ascii_name(name)
    except idna.IDNAError:
        return False
    labels = stored.split(".")
    return len(stored) <= MAX_NAME_CHARACTERS and all(map(LABEL.fullmatch, labels))


def ascii_name(name: str) -> str:
    """A name as DNS stores it (IDNA 2008, with the mapping of UTS 46). Raises `IDNAError`."""
    return ".".join(map(ascii_label, idna.uts46_remap(name, std3_rules=False).split(".")))


def ascii_label(label: str) -> str:
    if label.startswith(ACE_PREFIX):
        idna.ulabel(label)
    return label if label.isascii() else idna.alabel(label).decode()


def is_ip_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def has_wrong_brackets(parts: SplitResult) -> bool:
    """Whether a URL has brackets around something that is not an IPv6 address."""
    host = parts.hostname or ""
    return "[" in parts.netloc and not (":" in host and is_host(host))
