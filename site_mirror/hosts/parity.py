"""Parity: the comparison of the responses of a server with what a release promises."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from http import HTTPStatus

from msgspec import Struct, field

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expectation import Expectation, ExpectedBody, Needs
from site_mirror.hosts.http_client import HostRequest, HostResponse

CONNECTION_HEADERS = frozenset(
    {"date", "server", "connection", "keep-alive", "alt-svc", "via", "age"}
)
"""Headers of a server or a connection, which are not compared."""

CAPABILITY_OF_HEADER = {
    "content-type": Capability.MEDIA_TYPES,
    "etag": Capability.VALIDATORS,
    "last-modified": Capability.VALIDATORS,
}
"""The capability that a header needs; the others need `HEADERS`."""


class Comparison(Struct, frozen=True):
    """The result of one comparison: the capabilities that it needs, and the fault, if any."""

    needs: Needs
    request: HostRequest
    fault: str = ""


class Parity(Struct):
    """The result of a run. `cannot` has the reason for each capability that the host lacks.

    `counts` are the numbers of comparisons by the capabilities that they need; `faults` are the
    comparisons that failed.
    """

    cannot: Mapping[Capability, str]
    requests: int = 0
    counts: Counter[Needs] = field(default_factory=Counter)
    faults: list[Comparison] = field(default_factory=list)

    def take(self, comparisons: Iterable[Comparison]) -> None:
        self.requests += 1
        for comparison in comparisons:
            self.counts[comparison.needs] += 1
            if comparison.fault:
                self.faults.append(comparison)

    @property
    def differences(self) -> list[Comparison]:
        """Faults of comparisons that need no missing capability."""
        return [each for each in self.faults if not self.lacks(each.needs)]

    @property
    def understated(self) -> list[Capability]:
        """Capabilities that the host is declared to lack, although all their comparisons pass.

        Comparisons that need another missing capability tell nothing.
        """
        failed = {self.lacks(each.needs) for each in self.faults}
        passed = {self.lacks(needs) for needs in self.counts} - failed
        return [one for one in self.cannot if frozenset([one]) in passed]

    def lacks(self, needs: Needs) -> Needs:
        return needs.intersection(self.cannot)

    @property
    def unasked(self) -> list[Capability]:
        """Capabilities that no comparison of this run needs."""
        needed = frozenset[Capability]().union(*self.counts)
        return [capability for capability in Capability if capability not in needed]

    @property
    def holds(self) -> bool:
        return not self.differences and not self.understated


def compare_response(
    expected: Expectation, answer: HostResponse, added: frozenset[str] = frozenset()
) -> Iterator[Comparison]:
    """Compare the status of a response and, if it is right, the body and the headers.

    `added` are headers that the host may add.
    """

    def check(fault: str, *more: Capability) -> Comparison:
        return Comparison(expected.needs | set(more), expected.request, fault)

    if answer.status != expected.status:
        status = f"status {answer.status}" if answer.status else "no answer"
        yield check(f"{status} instead of {expected.status}")
        return
    yield check("")
    yield check(fault_of_body(expected.body, answer))
    is_document = answer.status == HTTPStatus.OK
    for name, fault in faults_of_headers(expected.headers, answer, added):
        capability = CAPABILITY_OF_HEADER.get(name, Capability.HEADERS)
        yield check(fault, *([capability] if is_document else []))


def fault_of_body(expected: ExpectedBody, answer: HostResponse) -> str:
    if answer.excess:
        return f"{len(answer.excess)} bytes follow an answer that has no body"
    if len(answer.body) != expected.size:
        return f"a body of {len(answer.body)} bytes instead of {expected.size}"
    if sha256(answer.body).hexdigest() != expected.sha256:
        return f"other bytes than the manifest's, of the same length ({expected.size})"
    return ""


def faults_of_headers(
    headers: Mapping[str, str], answer: HostResponse, added: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield each promised or received header with its fault."""
    promised = {name.lower(): value for name, value in headers.items()}
    ignored = CONNECTION_HEADERS | (added - promised.keys())
    for name in sorted((promised.keys() | answer.headers.keys()) - ignored):
        yield name, fault_of_header(name, promised.get(name), answer.headers.get(name))


def fault_of_header(name: str, promised: str | None, found: str | None) -> str:
    if promised == found:
        return ""
    if found is None:
        return f"{name} is missing; promised is {promised!r}"
    if promised is None:
        return f"{name} is {found!r}, and no such header is promised"
    return f"{name} is {found!r} instead of {promised!r}"
