"""What libpq, PostgreSQL's client, says of the options of an address.

An option that it refuses fails with the first query, as a database does that is not there. Asked
here, it is a wrong setting instead. The driver is imported only where an address has options.
"""

import re
from collections.abc import Mapping
from typing import Any

WHOLE_NUMBERS = (
    *("connect_timeout", "tcp_user_timeout"),
    *("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval"),
)
"""Options that libpq reads only while it connects."""
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
NOWHERE = {"host": "/", "hostaddr": None}
"""A folder without the socket of a server: libpq reads the options and asks nobody."""


def are_options(options: Mapping[str, Any]) -> bool:
    """Whether libpq knows each option and allows its value."""
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
