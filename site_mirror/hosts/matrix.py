"""The capability matrix: a table of hosts and capabilities, with a reason for each missing one."""

from collections.abc import Iterable, Iterator

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.host import Host

OPENING, CLOSING = "<!-- matrix: manage.py host_matrix -->", "<!-- end of the matrix -->"
YES, NO = "yes", "no"
LEGEND = "A number is that of the reason in this list, where “it” is the host of the column:"


def render_matrix(hosts: Iterable[Host]) -> str:
    hosts = list(hosts)
    footnotes = number_reasons(hosts)
    return "\n".join([*table_lines(hosts, footnotes), "", LEGEND, "", *reason_lines(footnotes)])


def number_reasons(hosts: list[Host]) -> dict[str, int]:
    """Return a number for each reason, in the order of the table.

    Cells with the same reason have the same number.
    """
    reasons = dict.fromkeys(
        host.cannot[capability]
        for capability in Capability
        for host in hosts
        if capability in host.cannot
    )
    return {reason: number for number, reason in enumerate(reasons, start=1)}


def table_lines(hosts: list[Host], footnotes: dict[str, int]) -> Iterator[str]:
    yield f"| | {' | '.join(host.name for host in hosts)} |"
    yield f"| --- |{' --- |' * len(hosts)}"
    for capability in Capability:
        cells = " | ".join(matrix_cell(host, capability, footnotes) for host in hosts)
        yield f"| {capability.value} | {cells} |"


def matrix_cell(host: Host, capability: Capability, footnotes: dict[str, int]) -> str:
    """Return `yes`, or `no` with the number of the reason: `no (3)`."""
    reason = host.cannot.get(capability)
    return YES if reason is None else f"{NO} ({footnotes[reason]})"


def reason_lines(footnotes: dict[str, int]) -> Iterator[str]:
    for reason, number in footnotes.items():
        yield f"{number}. {reason[:1].upper()}{reason[1:]}."


def replace_matrix(document: str, matrix: str) -> str:
    """Replace the matrix in a document, which has the markers once."""
    before, rest = document.split(OPENING)
    _, after = rest.split(CLOSING)
    return f"{before}{OPENING}\n\n{matrix.rstrip()}\n\n{CLOSING}{after}"
