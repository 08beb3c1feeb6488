"""Counts of the requests of each client in its present window, in bounded memory."""

import logging
from threading import Lock

from django.core.cache import BaseCache

MOST_CLIENTS = 100_000
"""Clients that are counted apart at the same time: some 25 MB."""
NEWCOMERS = b""
"""The key of the one count that further clients share while so many are counted."""
PAUSE = 10
"""Seconds in which a cache that failed is not asked again: requests would wait for it."""

LOG = logging.getLogger(__name__)


class OwnCounts:
    """Counts of this process.

    A window begins with a client's first request, and a refused request does not extend it. No
    client removes another's window: a window ends by time alone.
    """

    def __init__(self, most: int = MOST_CLIENTS) -> None:
        self.most = most
        self.windows = dict[bytes, tuple[float, int]]()
        self.lock = Lock()

    def add(self, client: bytes, now: float, seconds: float) -> int:
        """Count a request; return the client's number of them in its window."""
        with self.lock:
            self.end_windows(now - seconds)
            if client not in self.windows and len(self.windows) >= self.most:
                client = NEWCOMERS
            begun, count = self.windows.get(client, (now, 0))
            self.windows[client] = (begun, count + 1)
            return count + 1

    def end_windows(self, begun_before: float) -> None:
        """Remove the windows that are over; they are in the order in which they began."""
        while self.windows:
            client = next(iter(self.windows))
            if self.windows[client][0] > begun_before:
                return
            del self.windows[client]

    def clear(self) -> None:
        with self.lock:
            self.windows.clear()


class SharedCounts:
    """Counts in a cache that several processes share; the cache ends the windows.

    While the cache cannot be asked, this process counts by itself.
    """

    def __init__(self, cache: BaseCache, own: OwnCounts) -> None:
        self.cache, self.own = cache, own
        self.next_attempt = 0.0

    def add(self, client: bytes, now: float, seconds: float) -> int:
        """Count a request; return the client's number of them in its window."""
        if now >= self.next_attempt:
            try:
                return self.add_to_cache(client, seconds)
            except cache_errors() as error:
                self.next_attempt = now + PAUSE
                LOG.warning(
                    "The cache of CACHE_URL cannot be asked, so this process counts requests by "
                    "itself for %s seconds: %s",
                    PAUSE,
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
    """The exceptions of a cache that does not answer."""
    from redis import RedisError  # noqa: PLC0415  (most processes have no such cache)

    return RedisError, OSError
