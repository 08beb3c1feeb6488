"""Validation of the options of a PostgreSQL address by libpq, PostgreSQL's client library.

Without it, an option that libpq refuses would fail with the first query, like a database that is
not running. The driver is imported only if an address has options.
"""

import re
from collections.abc import Mapping
from typing import Any

from site_mirror.host_names import MAX_PORT, is_ip_address

WHOLE_NUMBERS = (
    *("connect_timeout", "tcp_user_timeout"),
    *("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval"),
)
"""Options that libpq parses only while it connects."""
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
FOLDER_WITHOUT_SOCKET = "/"
"""A host that is a folder without a socket: with it libpq reads options and does not connect."""


def are_valid_options(options: Mapping[str, Any], host: str) -> bool:
    """Whether libpq knows each option and accepts its value for the address's host, or hosts."""
    from psycopg import ProgrammingError  # noqa: PLC0415
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415
    from psycopg.pq import PGconn, Ping  # noqa: PLC0415

    if not all(WHOLE_NUMBER.fullmatch(str(options.get(name, 0))) for name in WHOLE_NUMBERS):
        return False
    hosts = split_hosts(options, host)
    ports, addresses = option_values(options, "port"), option_values(options, "hostaddr")
    if not (all(map(is_port, ports)) and all(map(is_ip_address, addresses))):
        return False
    if addresses and len(addresses) != len(hosts):
        return False
    no_server = {"host": ",".join([FOLDER_WITHOUT_SOCKET] * len(hosts)), "hostaddr": None}
    try:
        address = make_conninfo("", **dict(options) | no_server)
    except (ProgrammingError, TypeError):
        return False
    return PGconn.ping(address.encode()) != Ping.NO_ATTEMPT


def database_hosts(settings: Mapping[str, Any]) -> list[str]:
    """The hosts that libpq looks up, from Django's settings of a database.

    An empty host, a folder and an abstract socket, which begins with `@`, are on this machine.
    """
    hosts = split_hosts(settings.get("OPTIONS", {}), settings["HOST"])
    return [host for host in hosts if host and host[0] not in "/@"]


def split_hosts(options: Mapping[str, Any], host: str) -> list[str]:
    return str(options.get("host", host)).split(",")


def option_values(options: Mapping[str, Any], name: str) -> list[str]:
    """The values of an option that has one for each host; empty if the option is not set."""
    return str(options[name]).split(",") if name in options else []


def is_port(text: str) -> bool:
    return bool(WHOLE_NUMBER.fullmatch(text)) and 0 < int(text) <= MAX_PORT
