"""A run of parity: the request budget, if requested, then all expectations of the manifest."""

from collections.abc import Callable

from msgspec import Struct

from site_mirror.hosts import budget, origin
from site_mirror.hosts.expected import expectations
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HttpClient
from site_mirror.hosts.origin import Origin
from site_mirror.hosts.parity import Parity, Tolerance, compare_response
from site_mirror.hosts.release import ServedRelease


class Verification(Struct, frozen=True):
    """A release and the host that serves it; without a host no missing capability is excused."""

    release: ServedRelease
    host: Host | None = None
    spend: bool = False

    def run(self, http: HttpClient, progress: Callable[[], None] = lambda: None) -> Parity:
        """Compare all responses with the release. Raises `Unreachable`."""
        live = isinstance(self.host, Origin)
        tolerance = (
            origin.ORIGIN_TOLERANCE
            if live
            else Tolerance(self.host.adds if self.host else frozenset())
        )
        parity = Parity(self.host.cannot if self.host else {})
        if self.spend:
            client = http.clients.current
            parity.take(
                budget.spend_budget(
                    self.release, lambda asked: http.ask_as(client, asked), tolerance
                )
            )
            http.clients.next()
        release = origin.adapt_to_origin(self.release, http.ask) if live else self.release
        for expected in expectations(release):
            parity.take(compare_response(expected, http.ask(expected.request), tolerance))
            progress()
        return parity
