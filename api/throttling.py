"""The budget of the contract, counted per client address in the cache and never logged."""

from rest_framework.throttling import AnonRateThrottle


class BudgetThrottle(AnonRateThrottle):
    """600 requests in 60 seconds; off where an edge in front counts (`RATE_LIMIT=0`)."""

    scope = "budget"
