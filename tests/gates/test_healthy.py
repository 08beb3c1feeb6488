"""A correct release passes every gate, and each gate has checked something."""

import json
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.freeze.site import API_ERROR_STATUSES
from site_mirror.snapshot.verdicts import MAX_FAILURES_IN_REPORT, Verdict, count_failures
from tests.freeze import processes, sites, target_files

GATES = [
    "files",
    "contract",
    "coverage",
    "links",
    "hosts",
    "mirrors",
    "texts",
    "vanished",
    "deletions",
]
COMPARING = {"vanished", "deletions"}


def edit_a_post() -> None:
    post = Post.objects.get(slug="merging-two-lists-of-things")
    post.title_en += " again"
    post.save()


def test_gates_that_compare_releases_are_skipped_for_the_first_release(
    released: Path, db: None
) -> None:
    gates = json.loads((released / "current/report.json").read_text())["gates"]

    assert [gate["gate"] for gate in gates] == GATES
    assert all(gate["passed"] for gate in gates)
    assert {gate["gate"] for gate in gates if not gate["checked"]} == COMPARING
    assert {gate["reason"] for gate in gates if not gate["checked"]} == {
        "nothing was published before"
    }


def test_every_gate_checks_something_after_an_edit(site: Path) -> None:
    edit_a_post()

    verdicts = sites.freeze_into(site, sites.LATER).gates

    assert [verdict.gate for verdict in verdicts] == GATES
    assert all(verdict.passed and verdict.checked for verdict in verdicts)
    assert {verdict.gate for verdict in verdicts if verdict.held} == {
        *("contract", "links", "hosts", "mirrors", "texts")
    }


@pytest.mark.exhaustive("freezes the whole site once more for each number of workers")
@pytest.mark.parametrize("jobs", [1, 2])
def test_gates_have_the_same_verdicts_with_any_number_of_workers(
    jobs: int, shipped_database: Path, tmp_path: Path
) -> None:
    words = ("--json", "--jobs", str(jobs))
    frozen = processes.freeze(tmp_path / "site", *words, database=shipped_database)

    counts = {gate["gate"]: gate["checked"] for gate in json.loads(frozen.stdout)["gates"]}
    documents = target_files.read_manifest(tmp_path / "site").documents
    pages = [entry for entry in documents if entry.media_type.startswith("text/html")]
    answers = [entry for entry in documents if entry.address.startswith("/api/")]
    assert frozen.returncode == processes.PUBLISHED
    assert counts["mirrors"] == 2 * len(pages)
    assert counts["contract"] == len(answers) + len(API_ERROR_STATUSES)
    assert counts["links"] > 10 * len(pages)


def test_an_unchanged_release_passes_every_gate(site: Path) -> None:
    sites.freeze_into(site)  # On PostgreSQL, rows that are loaded again have other moments.
    report = sites.freeze_into(site, sites.LATER)

    assert report.outcome == "unchanged"
    assert all(verdict.passed for verdict in report.gates)


def test_a_gate_that_checked_nothing_fails_unless_it_has_a_reason() -> None:
    empty = Verdict("links", "links", 0)
    explained = Verdict("links", "links", 0, reason="nothing was published before")

    assert not empty.passed
    assert str(empty) == "  links: 0 links\n    There were no links to check."
    assert explained.passed
    assert str(explained) == "  links: nothing was published before"


def test_ten_failures_are_listed_and_the_rest_are_counted() -> None:
    verdict = count_failures(
        f"/{number} is wrong" for number in range(MAX_FAILURES_IN_REPORT + 3)
    ).verdict("links", "links", 20)

    lines = str(verdict).splitlines()
    assert lines[0] == "  links: 20 links, 13 FAILED"
    assert lines[1:-1] == [f"    /{number} is wrong" for number in range(MAX_FAILURES_IN_REPORT)]
    assert lines[-1] == "    and 3 more"
    assert (verdict.members()["failed"], len(verdict.members()["failures"])) == (13, 10)
