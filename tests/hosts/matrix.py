"""The capability matrix of `docs/hosts.md`: a table, with a reason for each missing capability.

`python -m tests.hosts.matrix` writes it.
"""

from collections.abc import Collection
from pathlib import Path

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.host import Host
from site_mirror.hosts.table import HOSTS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "hosts.md"
OPENING, CLOSING = "<!-- matrix: python -m tests.hosts.matrix -->", "<!-- end of the matrix -->"
LEGEND = "A number is that of the reason in this list, where “it” is the host of the column:"


def render_matrix(hosts: Collection[Host]) -> str:
    """Return the table, then the reasons; cells with the same reason have the same number."""
    numbers: dict[str, int] = {}

    def cell(host: Host, capability: Capability) -> str:
        reason = host.cannot.get(capability)
        return f"no ({numbers.setdefault(reason, len(numbers) + 1)})" if reason else "yes"

    rows = [
        f"| {capability.value} | {' | '.join(cell(host, capability) for host in hosts)} |"
        for capability in Capability
    ]
    names = f"| | {' | '.join(host.name for host in hosts)} |"
    reasons = [f"{number}. {text[:1].upper()}{text[1:]}." for text, number in numbers.items()]
    table = [names, f"| --- |{' --- |' * len(hosts)}", *rows]
    return "\n".join([*table, "", LEGEND, "", *reasons])


def replace_matrix(document: str, matrix: str) -> str:
    """Replace the matrix in a document, which has the markers once."""
    before, rest = document.split(OPENING)
    _, after = rest.split(CLOSING)
    return f"{before}{OPENING}\n\n{matrix.rstrip()}\n\n{CLOSING}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(replace_matrix(DOCUMENT.read_text(), render_matrix(HOSTS.values())))
