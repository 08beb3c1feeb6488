"""Counts of requests by client and time window, in limited memory."""

import logging
from threading import Lock

from django.core.cache import BaseCache

MAX_CLIENTS = 100_000
"""Clients with a count of their own, which take about 25 MB."""
SHARED_KEY = b""
"""The key of the count that all further clients share."""
CACHE_RETRY_SECONDS = 10
"""Time without attempts after an error of the cache, because requests wait for each attempt."""

logger = logging.getLogger(__name__)


class OwnCounts:
    """Counts of this process.

    A window begins with a client's first request, and a refused request does not extend it. A
    window is removed only when its time is over, so that no client can end another's window.
    """

    def __init__(self, max_clients: int = MAX_CLIENTS) -> None:
        self.max_clients = max_clients
        self.windows = dict[bytes, tuple[float, int]]()
        self.lock = Lock()

    def add(self, client: bytes, now: float, seconds: float) -> int:
        """Count a request; return the number of the client's requests in its window."""
        with self.lock:
            self.end_windows(now - seconds)
            if client not in self.windows and len(self.windows) >= self.max_clients:
                client = SHARED_KEY
            begun, count = self.windows.get(client, (now, 0))
            self.windows[client] = (begun, count + 1)
            return count + 1

    def end_windows(self, begun_before: float) -> None:
        """Remove the windows that are over; the table is in the order of their beginnings."""
        while self.windows:
            client = next(iter(self.windows))
            if self.windows[client][0] > begun_before:
                return
            del self.windows[client]

    def clear(self) -> None:
        with self.lock:
            self.windows.clear()


class SharedCounts:
    """Counts in a cache that several processes share, which ends the windows.

    While the cache does not answer, this process counts for itself.
    """

    def __init__(self, cache: BaseCache, own: OwnCounts) -> None:
        self.cache, self.own = cache, own
        self.next_attempt = 0.0

    def add(self, client: bytes, now: float, seconds: float) -> int:
        """Count a request; return the number of the client's requests in its window."""
        if now >= self.next_attempt:
            try:
                return self.add_to_cache(client, seconds)
            except cache_errors() as error:
                self.next_attempt = now + CACHE_RETRY_SECONDS
                logger.warning(
                    "The cache of CACHE_URL cannot be asked, so this process counts requests by "
                    "itself for %s seconds: %s",
                    CACHE_RETRY_SECONDS,
                    error,
                )
        return self.own.add(client, now, seconds)

    def add_to_cache(self, client: bytes, seconds: float) -> int:
        key = f"budget_{client.hex()}"
        self.cache.add(key, 0, timeout=seconds)
        try:
            count = self.cache.incr(key)
        except ValueError:  # The window has ended between the two lines.
            self.cache.set(key, 1, timeout=seconds)
            return 1
        if count == 1:  # A window that ends inside `incr` leaves a count that never ends.
            self.cache.touch(key, timeout=seconds)
        return count


def cache_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of a cache that does not answer."""
    from redis import RedisError  # noqa: PLC0415  (most processes have no such cache)

    return RedisError, OSError
