"""Failed gates in a deploy job: exit codes, the report, and nothing published."""

import json
from pathlib import Path

import pytest

from tests.freeze import processes, sites, target_files
from tests.gates.broken_families import run_refused_freeze

LINK = "UPDATE catalogue_post SET body_en = body_en || ' [x](/nowhere)' WHERE slug = ?"


PAGE = "/blog/merging-two-lists-of-things"
FAULT = f"    {PAGE} links to /nowhere, where nothing is published\n"


def test_a_failed_gate_publishes_nothing_with_any_option(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report in JSON has every gate with its count."""
    sites.edit_post(PAGE.rpartition("/")[2], body_en="[x](/nowhere)")

    for option in ("--check", "--diff", "--json"):
        refused = run_refused_freeze(site, option)

        assert refused.code == processes.FAILED
        assert "Nothing was published: 1 of 9 gates failed." in refused.message
        assert FAULT in refused.message
    report = json.loads(capsys.readouterr().out)
    gates = {gate["gate"]: gate for gate in report["gates"]}
    assert report["outcome"] == "failed"
    assert {name for name, gate in gates.items() if not gate["passed"]} == {"links"}
    assert gates["links"]["failed"] == len(gates["links"]["failures"]) > 0
    assert all(gate["checked"] for gate in gates.values())


@pytest.mark.exhaustive("starts a freeze in a process of its own for each option")
@pytest.mark.parametrize("options", [(), ("--check",), ("--diff",)], ids=str)
def test_a_failed_gate_publishes_nothing_and_is_named(
    options: tuple[str, ...], database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    with processes.open_database(database) as connection:
        connection.execute(LINK, ["merging-two-lists-of-things"])

    frozen = processes.freeze(target, *options, database=database)

    assert frozen.returncode == processes.FAILED
    assert "Nothing was published: 1 of 9 gates failed." in frozen.stderr
    assert FAULT in frozen.stderr
    assert "Traceback" not in frozen.stderr
    assert target_files.read_published(target) == before


@pytest.mark.exhaustive("starts a freeze in a process of its own")
def test_the_report_in_json_has_every_gate_with_its_count(database: Path, target: Path) -> None:
    with processes.open_database(database) as connection:
        connection.execute(LINK, ["merging-two-lists-of-things"])

    frozen = processes.freeze(target, "--json", database=database)

    report = json.loads(frozen.stdout)
    gates = {gate["gate"]: gate for gate in report["gates"]}
    assert (frozen.returncode, report["outcome"]) == (processes.FAILED, "failed")
    assert {name for name, gate in gates.items() if not gate["passed"]} == {"links"}
    assert gates["links"]["failed"] == len(gates["links"]["failures"]) > 0
    assert all(gate["checked"] for gate in gates.values())


def test_a_release_keeps_what_its_gates_counted(released: Path, db: None) -> None:
    report = json.loads((released / "current/report.json").read_text())

    assert {gate["gate"] for gate in report["gates"]} >= {"links", "contract"}
    assert all(gate["passed"] for gate in report["gates"])
