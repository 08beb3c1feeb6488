"""The budget of requests: spent to see that it ends where the contract says."""

from collections.abc import Callable, Iterator
from time import monotonic

from api.contract import BUDGET
from catalogue import addresses
from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.parity import Check, Reading, checks
from site_mirror.hosts.promised.addresses import error_body
from site_mirror.hosts.promised.promise import Promise, asking, needing
from site_mirror.hosts.release import Release
from site_mirror.hosts.wire import Answer, Request

ADDRESS = addresses.api("/health")
NEEDS = needing(Ability.RATE_LIMIT)
REFUSED = 429
ENOUGH = 2 * BUDGET.requests
"""Requests after which a host that has not refused one does not count."""


def spent(release: Release, ask: Callable[[Request], Answer], reading: Reading) -> Iterator[Check]:
    """Ask until refused, as a client that has not asked before; then what is still answered."""
    request = asking(ADDRESS)
    started = monotonic()
    allowed, answer = 0, ask(request)
    while answer.status != REFUSED and allowed < ENOUGH:
        allowed, answer = allowed + 1, ask(request)
    yield Check(NEEDS, request, fault_of_count(allowed, monotonic() - started))
    for refused in (request, asking(addresses.OPENAPI), asking(addresses.api("/nothing"))):
        yield from checks(refusal(release, refused), ask(refused), reading)
    page = asking(addresses.HOME)
    status = ask(page).status
    fault = "" if status != REFUSED else "a page is refused, and only the API has a budget"
    yield Check(NEEDS, page, fault)


def fault_of_count(allowed: int, seconds: float) -> str:
    """A host may give back what the time that has passed is worth."""
    returned = seconds * BUDGET.requests / BUDGET.window_seconds
    if allowed < BUDGET.requests:
        return f"refused after {allowed} requests instead of {BUDGET.requests}"
    if allowed > BUDGET.requests + returned + 1:
        return f"{allowed} requests answered in {seconds:.0f} s instead of {BUDGET.requests}"
    return ""


def refusal(release: Release, request: Request) -> Promise:
    """The problem, for whatever the budget covers."""
    headers = answers.refused(release, ADDRESS, REFUSED)
    return Promise(NEEDS, request, (REFUSED,), headers, error_body(release, ADDRESS, REFUSED))
