"""A correct release passes every gate; a failed gate publishes nothing and is reported."""

import json
from pathlib import Path

import pytest

from site_mirror.freeze.site import API_ERROR_STATUSES
from site_mirror.snapshot.verdicts import MAX_FAILURES_IN_REPORT, Verdict
from tests.freeze import processes, sites, target_files
from tests.gates.broken_families import run_refused_freeze

POST = "merging-two-lists-of-things"
GATES = ["files", "contract", "coverage", "links", "hosts", "mirrors", "texts"]
COMPARING = ["vanished", "deletions"]


def test_every_gate_checks_the_first_release_or_says_why_not(released: Path, db: None) -> None:
    """Gates that compare releases have nothing to compare."""
    gates = json.loads((released / "current/report.json").read_text())["gates"]
    checked = {gate["gate"]: gate["checked"] for gate in gates}
    documents = target_files.read_manifest(released).documents
    pages = [entry for entry in documents if entry.media_type.startswith("text/html")]
    answers = [entry for entry in documents if entry.address.startswith("/api/")]

    assert [*checked] == GATES + COMPARING
    assert all(gate["passed"] for gate in gates)
    assert [gate for gate in checked if not checked[gate]] == COMPARING
    assert {gate.get("reason") for gate in gates} == {None, "nothing was published before"}
    assert checked["mirrors"] == 2 * len(pages)
    assert checked["contract"] == len(answers) + len(API_ERROR_STATUSES)
    assert checked["links"] > 10 * len(pages)


def test_every_gate_checks_something_after_an_edit(site: Path) -> None:
    sites.edit_post(POST, title_en="Another title")

    verdicts = sites.freeze_into(site, sites.LATER).gates

    assert [verdict.gate for verdict in verdicts] == GATES + COMPARING
    assert all(verdict.passed and verdict.checked for verdict in verdicts)
    assert {verdict.gate for verdict in verdicts if verdict.held} == {
        *("contract", "links", "hosts", "mirrors", "texts")
    }


def test_a_failed_gate_publishes_nothing_with_any_option(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report in JSON has every gate with its count."""
    sites.edit_post(POST, body_en="[x](/nowhere)")

    for option in ("--check", "--diff", "--json"):
        refused = run_refused_freeze(site, option)

        assert refused.code == processes.FAILED
        failed = f"1 of {len(GATES + COMPARING)} gates failed."
        assert f"Nothing was published: {failed}" in refused.message
        assert f"    /blog/{POST} links to /nowhere, where nothing is published" in refused.message
    report = json.loads(capsys.readouterr().out)
    gates = {gate["gate"]: gate for gate in report["gates"]}
    assert report["outcome"] == "failed"
    assert [name for name, gate in gates.items() if not gate["passed"]] == ["links"]
    assert gates["links"]["failed"] == len(gates["links"]["failures"]) > 0
    assert all(gate["checked"] for gate in gates.values())


def test_a_gate_that_checked_nothing_fails_unless_it_has_a_reason() -> None:
    empty = Verdict("links", "links", 0)
    explained = Verdict("links", "links", 0, reason="nothing was published before")

    assert not empty.passed
    assert str(empty) == "  links: 0 links\n    There were no links to check."
    assert explained.passed
    assert str(explained) == "  links: nothing was published before"


def test_ten_failures_are_listed_and_the_rest_are_counted() -> None:
    words = tuple(f"/{number} is wrong" for number in range(MAX_FAILURES_IN_REPORT + 3))

    verdict = Verdict("links", "links", 20, words)

    lines = str(verdict).splitlines()
    assert lines[0] == "  links: 20 links, 13 FAILED"
    assert lines[1:-1] == [f"    {each}" for each in words[:MAX_FAILURES_IN_REPORT]]
    assert lines[-1] == "    and 3 more"
    assert (verdict.members()["failed"], len(verdict.members()["failures"])) == (13, 10)
