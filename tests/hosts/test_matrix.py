"""The documentation says of every host what its declaration says."""

import pytest
from django.core.management import CommandError, call_command

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.matrix import CLOSING, NO, OPENING, YES, NoPlace, markdown, placed
from site_mirror.hosts.table import HOSTS
from site_mirror.management.commands import host_matrix
from tests.freeze.processes import PROJECT


def test_the_matrix_in_the_documentation_is_the_one_of_the_code() -> None:
    call_command("host_matrix", check=True)


def test_a_matrix_that_is_out_of_date_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {name: host for name, host in HOSTS.items() if name != "caddy"}
    monkeypatch.setattr(host_matrix, "HOSTS", fewer)

    with pytest.raises(CommandError, match="out of date"):
        call_command("host_matrix", check=True)


def rows() -> dict[str, list[str]]:
    lines = [line.strip("| ").split(" | ") for line in markdown(HOSTS.values()).splitlines()]
    return {line[0]: line[1:] for line in lines if len(line) == len(HOSTS) + 1}


@pytest.mark.parametrize("ability", Ability, ids=lambda ability: ability.label)
def test_every_ability_has_a_row_with_a_word_for_every_host(ability: Ability) -> None:
    declared = [NO if ability in host.cannot else YES for host in HOSTS.values()]

    assert rows()[ability.value] == declared


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_is_found_by_its_name_and_documented(name: str) -> None:
    assert HOSTS[name].name == name
    assert f"| {name} |" in (PROJECT / "docs/hosts.md").read_text()


@pytest.mark.parametrize("document", ["", OPENING, CLOSING, f"{CLOSING} {OPENING}"])
def test_a_document_without_a_place_is_not_written(document: str) -> None:
    with pytest.raises(NoPlace):
        placed(document, "| |")
