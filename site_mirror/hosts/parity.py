"""Parity: whether what answers at an address is what the manifest promises."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from http import HTTPStatus

import orjson
from msgspec import Struct, field

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.promise import Content, Form, Needs, Promise
from site_mirror.hosts.wire import Answer, Request

OF_THE_WIRE = frozenset({"date", "server", "connection", "keep-alive", "alt-svc", "via", "age"})
"""Headers that are a server's or a connection's, and never a document's."""

ABILITIES = {
    "content-type": Ability.MEDIA_TYPES,
    "etag": Ability.VALIDATORS,
    "last-modified": Ability.VALIDATORS,
}
"""To whose account a header goes; the others to `HEADERS`."""


class Check(Struct, frozen=True):
    """One thing that was looked at: what it needs, and what was wrong, if anything was."""

    needs: Needs
    request: Request
    fault: str = ""


class Reading(Struct, frozen=True):
    """How an answer is read: which headers a host may add, and whether it writes problems itself.

    A live problem says more of what failed than a frozen one does.
    """

    added: frozenset[str] = frozenset()
    own_problems: bool = False


def checks(promise: Promise, answer: Answer, reading: Reading) -> Iterator[Check]:
    """What an answer is compared by: its status, and if that is right, all the rest."""

    def check(fault: str, *more: Ability) -> Check:
        return Check(promise.needs | set(more), promise.request, fault)

    if answer.status not in promise.statuses:
        found = f"status {answer.status}" if answer.status else "no answer"
        yield check(f"{found} instead of {either(promise.statuses)}")
        return
    yield check("")
    yield check(fault_of_body(promise.content, answer, reading))
    success = answer.status == HTTPStatus.OK
    for name, fault in faults_of_headers(promise, answer, reading):
        ability = ABILITIES.get(name, Ability.HEADERS)
        yield check(fault, *([ability] if success else []))


def either(statuses: Iterable[int]) -> str:
    return " or ".join(map(str, statuses))


def fault_of_body(content: Content | Form, answer: Answer, reading: Reading) -> str:
    if answer.excess:
        return f"{len(answer.excess)} bytes follow an answer that has no body"
    if isinstance(content, Form):
        page = answer.headers.get("content-type", "").startswith("text/html")
        return "an HTML page instead of an error of the site" if page else ""
    if (len(answer.body), sha256(answer.body).hexdigest()) == (content.size, content.sha256):
        return ""
    if reading.own_problems and content.problem and same_problem(content.problem, answer.body):
        return ""
    if len(answer.body) != content.size:
        return f"a body of {len(answer.body)} bytes instead of {content.size}"
    return f"other bytes than the manifest's, of the same length ({content.size})"


def faults_of_headers(
    promise: Promise, answer: Answer, reading: Reading
) -> Iterator[tuple[str, str]]:
    """Each header of either side, with what is wrong with it."""
    if promise.headers is None:
        return
    promised = {name.lower(): value for name, value in promise.headers.items()}
    if reading.own_problems and isinstance(promise.content, Content) and promise.content.problem:
        told = answer.headers.get("content-length", "")
        promised["content-length"] = str(len(answer.body)) if answer.body else told
    ignored = OF_THE_WIRE | (reading.added - promised.keys())
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


class Parity(Struct):
    """What a run found. `cannot` has the reason for each ability that the host has not."""

    cannot: Mapping[Ability, str]
    requests: int = 0
    passed: dict[Needs, int] = field(default_factory=dict)
    failed: dict[Needs, list[Check]] = field(default_factory=dict)

    def take(self, found: Iterable[Check]) -> None:
        self.requests += 1
        for check in found:
            if check.fault:
                self.failed.setdefault(check.needs, []).append(check)
            else:
                self.passed[check.needs] = self.passed.get(check.needs, 0) + 1

    @property
    def differences(self) -> list[Check]:
        """Faults that nothing excuses."""
        excused = self.cannot.keys()
        return [
            check for needs, found in self.failed.items() if not needs & excused for check in found
        ]

    @property
    def understated(self) -> list[Ability]:
        """What the host is said not to be able to do, and does without a fault."""
        return [ability for ability in self.cannot if self.does(ability)]

    def does(self, ability: Ability) -> bool:
        """Whether whatever needs this and is not excused by another inability passed."""
        others = self.cannot.keys() - {ability}

        def turns_on_it(needs: Needs) -> bool:
            return ability in needs and not needs & others

        return any(map(turns_on_it, self.passed)) and not any(map(turns_on_it, self.failed))

    @property
    def checked(self) -> dict[Ability, int]:
        """How many things each ability was needed for, of those that the host is held to."""
        counts = dict.fromkeys(Ability, 0)
        for needs, count in self.counts():
            if not needs & self.cannot.keys():
                for ability in needs:
                    counts[ability] += count
        return counts

    def counts(self) -> Iterator[tuple[Needs, int]]:
        yield from self.passed.items()
        yield from ((needs, len(found)) for needs, found in self.failed.items())

    @property
    def unasked(self) -> list[Ability]:
        """What no request of this run needed."""
        asked = {ability for needs, _ in self.counts() for ability in needs}
        return [ability for ability in Ability if ability not in asked]

    @property
    def compared(self) -> int:
        return sum(count for _, count in self.counts())

    @property
    def holds(self) -> bool:
        return not self.differences and not self.understated


def same_problem(promised: bytes, found: bytes) -> bool:
    """Whether the type, the title and the status are the same."""
    try:
        said = orjson.loads(found)
    except orjson.JSONDecodeError:
        return False
    meant = orjson.loads(promised)
    return isinstance(said, dict) and all(
        said.get(name) == meant[name] for name in ("type", "title", "status")
    )
