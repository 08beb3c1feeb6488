"""A release that may be published passes every gate, and each gate has looked at something."""

import json
from pathlib import Path

import pytest
from django.utils import timezone

from catalogue.models import Post
from site_mirror import freezing
from site_mirror.freezing import freeze_site
from site_mirror.gates.verdicts import MOST, Verdict, of_all
from tests.freeze import makers, processes

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
    "version",
]
COMPARING = {"vanished", "deletions", "version"}


def edit_a_post() -> None:
    post = Post.objects.get(slug="merging-two-lists-of-things")
    post.title_en += " again"
    post.save()


def test_the_first_release_passes_and_says_what_it_could_not_compare(
    shipped_site: Path, db: None, tmp_path: Path
) -> None:
    verdicts = makers.freeze_into(tmp_path / "new").gates

    assert [verdict.gate for verdict in verdicts] == GATES
    assert all(verdict.passed for verdict in verdicts)
    assert {verdict.gate for verdict in verdicts if not verdict.checked} == COMPARING
    assert {verdict.reason for verdict in verdicts if not verdict.checked} == {
        "nothing was published before"
    }


def test_after_an_edit_every_gate_has_something_to_check(site: Path) -> None:
    edit_a_post()

    verdicts = makers.freeze_into(site, makers.LATER).gates

    assert [verdict.gate for verdict in verdicts] == GATES
    assert all(verdict.passed and verdict.checked for verdict in verdicts)
    assert {verdict.gate for verdict in verdicts if verdict.held} == {
        *("contract", "links", "hosts", "mirrors", "texts")
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_find_what_one_process_finds(
    jobs: int, shipped_database: Path, tmp_path: Path
) -> None:
    words = ("--json", "--jobs", str(jobs))
    frozen = processes.freeze(tmp_path / "site", *words, database=shipped_database)

    counts = {gate["gate"]: gate["checked"] for gate in json.loads(frozen.stdout)["gates"]}
    documents = makers.frozen_manifest(tmp_path / "site").documents
    pages = [entry for entry in documents if entry.media_type.startswith("text/html")]
    answers = [entry for entry in documents if entry.address.startswith("/api/")]
    assert frozen.returncode == processes.PUBLISHED
    assert counts["mirrors"] == 2 * len(pages)
    assert counts["contract"] == len(answers) + len(freezing.PROBLEMS)
    assert counts["links"] > 10 * len(pages)


def test_nothing_that_changed_is_no_reason_to_fail(site: Path) -> None:
    report = freeze_site(site, at=timezone.now(), moment=makers.LATER, progress=makers.unseen)

    assert report.outcome == "unchanged"
    assert all(verdict.passed for verdict in report.gates)


def test_a_gate_that_checked_nothing_fails_unless_it_says_why() -> None:
    empty = Verdict("links", "links", 0)
    explained = Verdict("links", "links", 0, reason="nothing was published before")

    assert not empty.passed
    assert str(empty) == "  links: 0 links\n    There were no links to check."
    assert explained.passed
    assert str(explained) == "  links: nothing was published before"


def test_ten_failures_are_told_in_words_and_the_rest_as_a_number() -> None:
    verdict = of_all(f"/{number} is wrong" for number in range(MOST + 3)).verdict(
        "links", "links", 20
    )

    lines = str(verdict).splitlines()
    assert lines[0] == "  links: 20 links, 13 FAILED"
    assert lines[1:-1] == [f"    /{number} is wrong" for number in range(MOST)]
    assert lines[-1] == "    and 3 more"
    assert (verdict.members()["failed"], len(verdict.members()["failures"])) == (13, 10)
