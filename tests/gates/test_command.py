"""Failed gates in a deploy job: exit codes, the report, and nothing published."""

import json
from pathlib import Path

import pytest

from tests.freeze import processes, target_files

LINK = "UPDATE catalogue_post SET body_en = body_en || ' [x](/nowhere)' WHERE slug = ?"


@pytest.mark.parametrize("options", [(), ("--check",), ("--diff",)], ids=str)
def test_a_failed_gate_publishes_nothing_and_is_named(
    options: tuple[str, ...], database: Path, target: Path
) -> None:
    before = target_files.read_published(target)
    with processes.open_database(database) as connection:
        connection.execute(LINK, ["merging-two-lists-of-things"])

    frozen = processes.freeze(target, *options, database=database)

    page = "/blog/merging-two-lists-of-things"
    assert frozen.returncode == processes.FAILED
    assert "Nothing was published: 1 of 10 gates failed." in frozen.stderr
    assert f"    {page} links to /nowhere, where nothing is published\n" in frozen.stderr
    assert "Traceback" not in frozen.stderr
    assert target_files.read_published(target) == before


@pytest.mark.slow
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


def test_a_release_keeps_what_its_gates_counted(target: Path) -> None:
    report = json.loads((target / "current/report.json").read_text())

    assert {gate["gate"] for gate in report["gates"]} >= {"links", "contract", "version"}
    assert all(gate["passed"] for gate in report["gates"])
