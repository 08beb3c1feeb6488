"""The limits of the live origin, in one place; docs/limits.md explains each.

Seconds and bytes, unless a name says otherwise. `manage.py serve` gives them to the server.
"""

WORKERS = 1
"""Processes. One process counts the budget of a client exactly; several share it by `CACHE_URL`."""

THREADS = 4
"""Requests that one worker answers at the same time. Each thread has a database connection."""

CONNECTIONS = 1024
"""Open connections of one worker. Further ones wait in the backlog of the kernel."""

BACKLOG = 1024
"""Connections that wait until a worker accepts them."""

REQUEST_HEAD = 32 * 1024
"""Bytes of the request line and the headers together, in the buffer of a connection."""

HEADER_READ_TIME = 10
"""Seconds from the first byte of a request to the last byte of its headers."""

GRACEFUL_STOP_TIME = 10
"""Seconds in which a worker ends the requests that it has begun; then it is killed."""

IDLE_THREAD_TIME = 30
"""Seconds after which a thread without work ends."""
