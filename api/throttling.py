"""The budget of the contract, counted per client and never logged."""

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from api.clients import OwnCounts, SharedCounts
from catalogue.clients import packed_network

OWN = OwnCounts()
SHARED = SharedCounts(cache, OWN)


class BudgetThrottle(SimpleRateThrottle):
    """600 requests in 60 seconds; off where an edge in front counts (`RATE_LIMIT=0`)."""

    scope = "budget"
    timer = staticmethod(time.monotonic)
    num_requests: int | None
    duration: int | None

    def allow_request(self, request: Request, view: Any) -> bool:
        if self.rate is None or self.duration is None or self.num_requests is None:
            return True
        counts = SHARED if settings.SHARED_CACHE else OWN
        return counts.add(self.client(request), self.timer(), self.duration) <= self.num_requests

    def client(self, request: Request) -> bytes:
        """The network that the proxy names, if there is one; else that of the connection."""
        try:
            return packed_network(self.get_ident(request))
        except ValueError:
            return packed_network(request.META["REMOTE_ADDR"])

    def wait(self) -> None:
        """`Retry-After` is the contract's, on every refusal the same."""
