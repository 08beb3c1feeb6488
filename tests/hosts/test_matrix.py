"""The capability matrix in the documentation equals the declarations of the hosts."""

import re

import pytest
from django.core.management import CommandError, call_command

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.matrix import (
    CLOSING,
    NO,
    OPENING,
    YES,
    NoPlace,
    render_matrix,
    replace_matrix,
)
from site_mirror.hosts.table import HOSTS
from site_mirror.management.commands import host_matrix
from tests.freeze.processes import PROJECT

MATRIX = render_matrix(HOSTS.values())


def test_the_documented_matrix_equals_the_generated_one() -> None:
    call_command("host_matrix", check=True)


def test_an_outdated_matrix_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {name: host for name, host in HOSTS.items() if name != "nginx"}
    monkeypatch.setattr(host_matrix, "HOSTS", fewer)

    with pytest.raises(CommandError, match="out of date"):
        call_command("host_matrix", check=True)


def matrix_rows() -> dict[str, list[str]]:
    lines = [line.strip("| ").split(" | ") for line in MATRIX.splitlines()]
    return {line[0]: line[1:] for line in lines if len(line) == len(HOSTS) + 1}


def read_footnotes() -> list[tuple[str, str]]:
    """Return the numbers and the texts of the footnotes in their order."""
    return re.findall(r"^(\d+)\. (.+)\.$", MATRIX, flags=re.MULTILINE)


def capitalize(reason: str) -> str:
    return reason[0].upper() + reason[1:]


@pytest.mark.parametrize("capability", Capability, ids=lambda capability: capability.label)
def test_every_capability_has_a_row_with_a_cell_for_every_host(capability: Capability) -> None:
    declared = [NO if capability in host.cannot else YES for host in HOSTS.values()]

    assert [cell.partition(" ")[0] for cell in matrix_rows()[capability.value]] == declared


@pytest.mark.parametrize("capability", Capability, ids=lambda capability: capability.label)
def test_every_missing_capability_has_the_number_of_its_reason(capability: Capability) -> None:
    numbers = {text: number for number, text in read_footnotes()}
    reasons = [host.cannot.get(capability) for host in HOSTS.values()]

    assert matrix_rows()[capability.value] == [
        YES if reason is None else f"{NO} ({numbers[capitalize(reason)]})" for reason in reasons
    ]


def test_every_reason_is_one_footnote() -> None:
    declared = {capitalize(reason) for host in HOSTS.values() for reason in host.cannot.values()}
    texts = [text for _, text in read_footnotes()]

    assert sorted(texts) == sorted(declared)


def test_footnotes_are_numbered_in_the_order_of_the_table() -> None:
    references = dict.fromkeys(re.findall(rf"{NO} \((\d+)\)", MATRIX))
    numbers = [number for number, _ in read_footnotes()]

    assert list(references) == numbers == [str(number) for number in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("name", HOSTS)
def test_every_host_has_its_name_in_the_table_and_in_the_documentation(name: str) -> None:
    assert HOSTS[name].name == name
    assert f"| {name} |" in (PROJECT / "docs/hosts.md").read_text()


@pytest.mark.parametrize("document", ["", OPENING, CLOSING, f"{CLOSING} {OPENING}"])
def test_a_document_without_markers_of_the_matrix_is_refused(document: str) -> None:
    with pytest.raises(NoPlace):
        replace_matrix(document, "| |")
