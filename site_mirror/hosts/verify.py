"""Ask a server for what a release promises, and compare."""

from collections.abc import Callable, Iterable, Iterator

from site_mirror.hosts import budget, origin
from site_mirror.hosts.expectation import Expectation
from site_mirror.hosts.expected import expect_everything
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HostRequest, HostResponse, HttpClient
from site_mirror.hosts.parity import Comparison, Parity, compare_response
from site_mirror.hosts.release import ServedRelease

Promises = Callable[[ServedRelease], Iterable[Expectation]]


def compare_site(
    http: HttpClient,
    release: ServedRelease,
    host: Host | None = None,
    promises: Promises = expect_everything,
    *,
    spend: bool = False,
) -> Parity:
    """Compare the responses of a server; `spend` spends the request budget first.

    Without a host no missing capability is excused, and a live origin is recognized by its health.
    Raises `Unreachable`.
    """
    parity = Parity(host.cannot if host else {})
    is_live = host.name == "origin" if host else origin.is_live(http.ask)

    def compare(expected: Expectation, answer: HostResponse) -> Iterator[Comparison]:
        pair = origin.without_instance(expected, answer) if is_live else (expected, answer)
        return compare_response(*pair, host.adds if host else frozenset())

    if spend:
        sent = 0 if host else 1  # the health, to recognize a live origin
        parity.take(budget.spend_budget(release, http.ask_once, compare, sent))
        http.next_client()  # The budget of this one is spent.
    if is_live:
        release, changed = origin.release_of_origin(release, http.ask)
        for entry in changed:
            fault = "other content than the release's"
            # No missing capability excuses it.
            parity.take([Comparison(frozenset(), HostRequest(entry.address), fault)])
    for expected in promises(release):
        parity.take(compare(expected, http.ask(expected.request)))
    return parity
