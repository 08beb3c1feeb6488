"""The limits of the live origin, in one place; docs/limits.md explains each.

`manage.py serve` passes those of connections and processes to the server.
"""

WORKERS = 1
"""Worker processes. Several of them need `CACHE_URL` to count the budget of a client together."""

THREADS = 4
"""Requests that one worker answers at the same time. Each thread has a database connection."""

MAX_CONNECTIONS = 1024
"""Open connections of one worker. Further connections wait in the backlog of the kernel."""

MAX_WAITING_CONNECTIONS = 1024
"""Connections that wait until a worker accepts them."""

SERVER_BUFFER_BYTES = 64 * 1024
"""The limit of a request's line and headers in the server, which answers 431 beyond it."""

MAX_TARGET_BYTES = 8_000
"""The limit of path and query together; beyond it 414 (RFC 9110, section 4.1, asks for 8,000)."""

MAX_HEADER_BYTES = 16 * 1024
"""The limit of all names and values of headers together; beyond it 431."""

MAX_CONTENT_TYPE_BYTES = 256
"""A longer `Content-Type` is ignored."""

HEADER_READ_SECONDS = 10
"""The time for the headers of a request, and for a pause between two requests of a connection."""

MAX_BODY_BYTES = 4 * 1024 * 1024
"""The limit of a request body; beyond it 413. Only the admin reads bodies."""

BODY_READ_SECONDS = 30
"""The time for a whole request body; then 408."""

MAX_BODY_BYTES_IN_MEMORY = 64 * 1024
"""A longer request body is stored in a temporary file."""

MAX_FORM_FIELDS = 2_000
"""The limit of fields of a form or a query; beyond it 400."""

CHUNK_BYTES = 64 * 1024
"""Bytes of a response that are passed to the server at a time."""

CHUNK_SEND_SECONDS = 20
"""The time in which a client must read a chunk; then the connection is closed."""

GRACEFUL_STOP_SECONDS = 10
"""The time in which a worker completes its requests after SIGTERM; then it is killed."""
