"""The capability matrix: a table of what each host can do, and why it cannot do the rest."""

from collections.abc import Iterable, Iterator

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Host

OPENING, CLOSING = "<!-- matrix: manage.py host_matrix -->", "<!-- end of the matrix -->"
YES, NO = "yes", "no"


class NoPlace(Exception):
    """A document has no place for the matrix."""

    def __init__(self) -> None:
        super().__init__(f"The document has no place for the matrix: {OPENING} … {CLOSING}.")


def markdown(hosts: Iterable[Host]) -> str:
    hosts = list(hosts)
    return "\n".join([*table(hosts), "", *reasons(hosts)])


def table(hosts: list[Host]) -> Iterator[str]:
    yield f"| | {' | '.join(host.name for host in hosts)} |"
    yield f"| --- |{' --- |' * len(hosts)}"
    for ability in Ability:
        cells = " | ".join(NO if ability in host.cannot else YES for host in hosts)
        yield f"| {ability.value} | {cells} |"


def reasons(hosts: list[Host]) -> Iterator[str]:
    """Why, for each `no` of the table."""
    for host in hosts:
        if host.cannot:
            yield f"What {host.name} cannot do:\n"
            yield from (f"- {ability.value}: {host.cannot[ability]}." for ability in host.cannot)
            yield ""


def placed(document: str, matrix: str) -> str:
    """A document with the matrix in its place. Raises `NoPlace`."""
    before, opening, rest = document.partition(OPENING)
    _, closing, after = rest.partition(CLOSING)
    if not (opening and closing):
        raise NoPlace
    return f"{before}{OPENING}\n\n{matrix.rstrip()}\n\n{CLOSING}{after}"
