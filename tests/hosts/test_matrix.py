"""The capability matrix in the documentation equals the declarations of the hosts."""

import re

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.table import HOSTS
from tests.hosts.matrix import DOCUMENT, render_matrix, replace_matrix

MATRIX = render_matrix(HOSTS.values())


def test_the_documented_matrix_equals_the_generated_one() -> None:
    document = DOCUMENT.read_text()

    assert replace_matrix(document, MATRIX) == document, "Run python -m tests.hosts.matrix."
    assert replace_matrix(document, "nothing") != document


def test_a_cell_is_yes_or_the_number_of_the_reason() -> None:
    heading, _, *lines = re.findall(r"^\| (.*) \|$", MATRIX, flags=re.MULTILINE)
    reasons = dict(re.findall(r"^(\d+)\. (.+)\.$", MATRIX, flags=re.MULTILINE))
    rows = [line.split(" | ") for line in lines]
    numbers = dict.fromkeys(re.findall(r"no \((\d+)\)", MATRIX))

    assert heading.removeprefix("| ").split(" | ") == [*HOSTS]
    assert [host.name for host in HOSTS.values()] == [*HOSTS]
    assert [
        [cell if cell == "yes" else reasons[cell[4:-1]].lower() for cell in cells]
        for _, *cells in rows
    ] == [
        [host.cannot.get(capability, "yes").lower() for host in HOSTS.values()]
        for capability in Capability
    ]
    assert [row[0] for row in rows] == [capability.value for capability in Capability]
    assert [*numbers] == [*reasons] == [str(number) for number in range(1, len(reasons) + 1)]
