"""The request budget of the contract, which is counted by client and never logged."""

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from api.request_counts import OwnCounts, SharedCounts
from catalogue.clients import packed_network

OWN_COUNTS = OwnCounts()
SHARED_COUNTS = SharedCounts(cache, OWN_COUNTS)


class BudgetThrottle(SimpleRateThrottle):
    """Throttle of 600 requests in 60 seconds; off if an edge server counts (`RATE_LIMIT=0`)."""

    scope = "budget"
    timer = staticmethod(time.monotonic)
    num_requests: int | None
    duration: int | None

    def allow_request(self, request: Request, view: Any) -> bool:
        if self.rate is None or self.duration is None or self.num_requests is None:
            return True
        counts = SHARED_COUNTS if settings.SHARED_CACHE else OWN_COUNTS
        return counts.add(self.client(request), self.timer(), self.duration) <= self.num_requests

    def client(self, request: Request) -> bytes:
        """Return the network that the proxy names, or else the network of the connection."""
        try:
            return packed_network(self.get_ident(request))
        except ValueError:
            return packed_network(request.META["REMOTE_ADDR"])

    def wait(self) -> None:
        """Return nothing, because `Retry-After` is the same in every refusal (`api.headers`)."""
