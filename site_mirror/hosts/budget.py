"""The check of the request budget: a host must refuse requests as the contract says."""

from collections.abc import Callable, Iterator
from time import monotonic

from msgspec.structs import replace

from api.contract import BUDGET
from catalogue import addresses
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expectation import Expectation, Needs, expect_error, make_request
from site_mirror.hosts.http_client import HostRequest, HostResponse
from site_mirror.hosts.parity import Comparison
from site_mirror.hosts.release import ServedRelease

BUDGET_ADDRESS = addresses.api_address("/health")
BUDGET_NEEDS = Needs({Capability.RATE_LIMIT})
REFUSED_STATUS = 429
Ask = Callable[[HostRequest], HostResponse]
MAX_REFILLED = 50
MAX_REQUESTS = 2 * BUDGET.requests
"""Requests after which a host that has not refused one is taken not to count requests."""


def spend_budget(
    release: ServedRelease,
    ask: Ask,
    compare: Callable[[Expectation, HostResponse], Iterator[Comparison]],
    sent: int = 0,
) -> Iterator[Comparison]:
    """Send requests until one is refused, then compare what is still served.

    `sent` is the number of requests that the client has sent before.
    """
    request = make_request(BUDGET_ADDRESS)
    started = monotonic()
    answered, _ = ask_until_refused(request, ask, MAX_REQUESTS - sent)
    fault = fault_of_count(sent + answered, monotonic() - started)
    yield Comparison(BUDGET_NEEDS, request, fault)
    # The 429 is a problem at every address that the budget covers.
    refusal = expect_error(release, Capability.RATE_LIMIT, REFUSED_STATUS, BUDGET_ADDRESS)
    for address in (BUDGET_ADDRESS, addresses.OPENAPI, addresses.api_address("/nothing")):
        covered = replace(refusal, request=make_request(address))
        # While this client was slow, the host may have refilled the budget.
        yield from compare(covered, ask_until_refused(covered.request, ask, MAX_REFILLED)[1])
    page = make_request(addresses.HOME)
    status = ask(page).status
    fault = "" if status != REFUSED_STATUS else "a page is refused, and only the API has a budget"
    yield Comparison(BUDGET_NEEDS, page, fault)


def ask_until_refused(request: HostRequest, ask: Ask, most: int) -> tuple[int, HostResponse]:
    """Return the number of answers before the refusal, at most so many, and the last response."""
    for answered in range(most):
        answer = ask(request)
        if answer.status == REFUSED_STATUS:
            return answered, answer
    return most, ask(request)


def fault_of_count(allowed: int, seconds: float) -> str:
    """Return a fault of the number of allowed requests; a host may refill the budget over time."""
    refilled = seconds * BUDGET.requests / BUDGET.window_seconds
    if allowed < BUDGET.requests:
        return f"refused after {allowed} requests instead of {BUDGET.requests}"
    # One more, because the clocks of host and client do not begin at the same request.
    if allowed > BUDGET.requests + refilled + 1:
        return f"{allowed} requests answered in {seconds:.0f} s instead of {BUDGET.requests}"
    return ""
