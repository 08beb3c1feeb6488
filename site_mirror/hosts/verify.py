"""A whole run: the budget if it is to be spent, then everything that the manifest promises."""

from collections.abc import Callable

from msgspec import Struct

from site_mirror.hosts import budget, origin
from site_mirror.hosts.host import Host
from site_mirror.hosts.origin import Origin
from site_mirror.hosts.parity import Parity, Reading, checks
from site_mirror.hosts.promised import promises
from site_mirror.hosts.release import Release
from site_mirror.hosts.wire import Wire


class Verification(Struct, frozen=True):
    """What is to be held against what, and how much of it; without a host nothing is excused."""

    release: Release
    host: Host | None = None
    spend: bool = False

    def run(self, wire: Wire, progress: Callable[[], None] = lambda: None) -> Parity:
        """Raises `Unreachable`."""
        live = isinstance(self.host, Origin)
        reading = origin.READING if live else Reading(self.host.adds if self.host else frozenset())
        parity = Parity(self.host.cannot if self.host else {})
        if self.spend:
            client = wire.clients.current
            parity.take(
                budget.spent(self.release, lambda asked: wire.ask_as(client, asked), reading)
            )
            wire.clients.next()
        release = origin.as_served(self.release, wire.ask) if live else self.release
        for promise in promises(release):
            parity.take(checks(promise, wire.ask(promise.request), reading))
            progress()
        return parity
