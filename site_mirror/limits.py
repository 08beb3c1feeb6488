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

SERVER_BUFFER = 64 * 1024
"""Bytes of a request's line and headers that the server reads; beyond them it answers 431."""

REQUEST_TARGET = 8_000
"""Bytes of path and query together; beyond them 414 (RFC 9110, section 4.1, asks for 8,000)."""

HEADERS = 16 * 1024
"""Bytes of all names and values of headers; beyond them 431."""

CONTENT_TYPE = 256
"""Bytes of a `Content-Type`; a longer one is ignored."""

HEADER_READ_TIME = 10
"""Seconds for the headers of a request, and for the pause between two requests of a connection."""

REQUEST_BODY = 4 * 1024 * 1024
"""Bytes of a body; beyond them 413. Only the admin reads bodies."""

BODY_READ_TIME = 30
"""Seconds for a whole body; then 408."""

BODY_IN_MEMORY = 64 * 1024
"""Bytes of a body that are held in memory; a longer one is held in a temporary file."""

FORM_FIELDS = 2_000
"""Fields of a form or a query; beyond them 400."""

PORTION = 64 * 1024
"""Bytes of a response that the server is given at a time."""

PORTION_SEND_TIME = 20
"""Seconds in which a client must take a portion; then the connection is closed."""

GRACEFUL_STOP_TIME = 10
"""Seconds in which a worker ends the requests that it has begun; then it is killed."""
