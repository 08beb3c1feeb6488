"""Validation of the options of a PostgreSQL address by libpq, PostgreSQL's client library.

Without it, an option that libpq refuses would fail with the first query, like a database that is
not running. The driver is imported only if an address has options.
"""

import re
from collections.abc import Mapping
from typing import Any

WHOLE_NUMBERS = (
    *("connect_timeout", "tcp_user_timeout"),
    *("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval"),
)
"""Options that libpq parses only while it connects."""
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
NOWHERE = {"host": "/", "hostaddr": None}
"""A folder without a server's socket: libpq parses the options and opens no connection."""


def are_valid_options(options: Mapping[str, Any]) -> bool:
    """Whether libpq knows each option and accepts its value."""
    from psycopg import ProgrammingError  # noqa: PLC0415
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415
    from psycopg.pq import PGconn, Ping  # noqa: PLC0415

    if not all(WHOLE_NUMBER.fullmatch(str(options.get(name, 0))) for name in WHOLE_NUMBERS):
        return False
    try:
        address = make_conninfo("", **dict(options) | NOWHERE)
    except ProgrammingError:
        return False
    return PGconn.ping(address.encode()) != Ping.NO_ATTEMPT
