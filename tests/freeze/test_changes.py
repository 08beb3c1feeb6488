"""`--diff` and `removed.txt` list the addresses that a freeze changes or removes."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.documents.family import Document
from site_mirror.snapshot.entries import Redirect
from tests import factories
from tests.freeze import commands, engine, sites, target_files
from tests.freeze.engine import make_document


def test_the_listed_addresses_are_those_that_the_freeze_changes(small_site: Path) -> None:
    before = target_files.read_entries(small_site)
    nothing = commands.freeze(str(small_site), "--diff")
    sites.edit_post("older", title_en="Another title", slug="oldest")
    factories.make_post(slug="newest", title_en="New")
    sites.deprecate_version()
    published = target_files.read_published(small_site)

    listed = commands.freeze(str(small_site), "--diff", "--json")

    assert (nothing.returncode, listed.returncode) == (3, 0)
    assert nothing.stdout.startswith("Nothing changed: ")
    assert target_files.read_published(small_site) == published
    report = json.loads(listed.stdout)
    assert report["outcome"] == "checked"
    found = {each["address"]: each["change"] for each in report["differences"]}
    sites.freeze_into(small_site, sites.LATER)
    after = target_files.read_entries(small_site)
    expected = dict.fromkeys(after.keys() - before.keys(), "new")
    for address, entry in before.items():
        if address not in after:
            # A former slug redirects: the address still answers, but otherwise.
            expected[address] = "changed"
        elif target_files.without_inputs(entry) != target_files.without_inputs(after[address]):
            expected[address] = "changed"
    documents = {address: change for address, change in found.items() if address in expected}
    assert documents == expected
    assert {address for address in found.keys() - expected.keys() if address[0] == "/"} == {
        "/api/v1/posts/older.json"
    }
    assert found["api/404.json"] == "changed"


def test_new_changed_and_gone_addresses_are_listed_in_words(tmp_path: Path) -> None:
    first = engine.publish(tmp_path, *engine.FIRST, differences=True)
    engine.publish(tmp_path, *engine.FIRST)

    second = engine.publish(tmp_path, *engine.SECOND, differences=True, redirects=(), errors=())

    assert [str(each) for each in first.differences] == [
        *("/: new", "/kept: new", "/edited: new", "/removed: new", "/old: new", "404.md: new"),
    ]
    assert [str(each) for each in second.differences] == [
        *("/edited: changed", "/new/one: new", "/removed: gone", "/old: gone", "404.md: gone"),
    ]


HOME, A, B = make_document("/"), make_document("/a"), make_document("/b")
API = replace(make_document("/api/v1/apps/x", b"{}"), media_type="application/json")
MOVED_A = replace(engine.MOVED, address="/a")
MOVED_API = replace(engine.MOVED, address="/api/v1/apps/x.json")


Answers = list[Document | Redirect]
CASES: dict[str, tuple[Answers, Answers, list[str], int]] = {
    "a first release": ([], [HOME], [], 0),
    "a new document": ([HOME], [HOME, A], [], 0),
    "documents that went": ([HOME, B, A], [HOME], ["/a", "/b"], 2),
    "a document with an alias": (
        ([HOME, API], [HOME], ["/api/v1/apps/x", "/api/v1/apps/x.json"], 1)
    ),
    "a document that moved": ([HOME, A], [HOME, MOVED_A], [], 1),
    "a redirect that ended": ([HOME, MOVED_A], [HOME, B], ["/a"], 0),
    "a redirect that became a document": ([HOME, MOVED_A], [HOME, A], [], 0),
    "a redirect that became an alias": ([HOME, MOVED_API], [HOME, API], [], 0),
}


@pytest.mark.parametrize("case", CASES)
def test_addresses_that_are_no_longer_answered_are_listed(case: str, tmp_path: Path) -> None:
    before, now, gone, removed = CASES[case]
    for answers in filter(None, (before, now)):
        documents = [each for each in answers if isinstance(each, Document)]
        redirects = [each for each in answers if isinstance(each, Redirect)]
        report = engine.publish(tmp_path, *documents, redirects=redirects)

    assert (tmp_path / "current/removed.txt").read_text().splitlines() == gone
    assert (report.removed, report.redirects) == (removed, len(redirects))
