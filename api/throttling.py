"""The request budget of the contract, which is counted by client and never logged."""

import logging
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.cache import cache
from django.core.handlers.wsgi import get_path_info
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from catalogue import addresses
from catalogue.accounts.clients import client_network

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CACHE_RETRY_SECONDS = 10
"""Time without attempts after an error of the cache, because requests wait for each attempt."""

logger = logging.getLogger(__name__)


def allows_request(environ: "WSGIEnvironment") -> bool:
    """Count a request that is answered without Django, if Django would count it."""
    return not is_counted(get_path_info(environ)) or BudgetThrottle().allow(environ)


@lru_cache(maxsize=1024)
def is_counted(path: str) -> bool:
    """Whether requests for a path use up the budget; a redirect to the canonical path does not."""
    return addresses.is_of_api(path) and addresses.canonical_path(path) == path


class BudgetThrottle(SimpleRateThrottle):
    """Throttle of 600 requests in 60 seconds; off if an edge server counts (`RATE_LIMIT=0`).

    A window begins with a client's first request, and a refused request does not extend it. The
    cache counts, because the library's own list of moments loses requests that arrive together.
    """

    scope = "budget"
    num_requests: int
    duration: int
    next_attempt: ClassVar = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        return self.allow(request.META)

    def allow(self, meta: Mapping[str, Any]) -> bool:
        """Count a request by its `META`, and say whether its client has budget left."""
        if self.rate is None or time.monotonic() < self.next_attempt:
            return True
        try:
            return self.count_request(f"budget_{client_network(meta)}") <= self.num_requests
        except Exception as error:  # noqa: BLE001 - each cache has exceptions of its own
            # The budget protects the API and must not stop it.
            BudgetThrottle.next_attempt = time.monotonic() + CACHE_RETRY_SECONDS
            logger.warning("The cache cannot be asked, so no requests are counted: %s", error)
            return True

    def count_request(self, key: str) -> int:
        """Return the number of the client's requests in its window, with this one."""
        if cache.add(key, 1, self.duration):
            return 1
        try:
            count = cache.incr(key)
        except ValueError:  # The window has ended between the two calls.
            return 1
        if count == 1:  # Redis made a count without an end, because the window ended inside `incr`.
            cache.touch(key, self.duration)
        return count

    def wait(self) -> None:
        """Return nothing, because `Retry-After` is the same in every refusal (`api.headers`)."""
