"""Which hosts can be looked up: IP addresses and names."""

import re
from ipaddress import ip_address

LABEL = re.compile(r"[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?")
"""A part of a name. DNS has no limit to its characters; container networks have `_`."""
LONGEST_LABEL = 63
LONGEST_NAME = 253
"""Characters of a part of a name and of a whole name (RFC 1035)."""
NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
"""A last part with which a host is an IPv4 address, never a name (URL Standard, “Host parsing”)."""


def is_host(host: str) -> bool:
    """Whether a host is an IP address, without brackets, or a name (RFC 1123)."""
    name = host.removesuffix(".")
    labels = name.split(".")
    if ":" in host or NUMBER.fullmatch(labels[-1]):
        return is_ip_address(name)
    return len(name) <= LONGEST_NAME and all(map(LABEL.fullmatch, labels))


def is_ip_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_short_enough(name: str) -> bool:
    """Whether a name in any script is within the limits of DNS, which stores it as ASCII."""
    labels = [label if label.isascii() else ascii_label(label) for label in name.split(".")]
    fits = all(0 < len(label) <= LONGEST_LABEL for label in labels)
    return fits and len(".".join(labels)) <= LONGEST_NAME


def ascii_label(label: str) -> str:
    return f"xn--{label.encode('punycode').decode()}"
