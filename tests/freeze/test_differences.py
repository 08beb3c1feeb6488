"""What a freeze would change, in words."""

import json
from pathlib import Path
from typing import Any

from site_mirror.snapshot.differences import Difference, differences
from site_mirror.snapshot.engine import Candidate, Outcome
from tests import rows
from tests.freeze import makers, plain, processes


def told(target: Path, **options: Any) -> dict[str, list[str]]:
    """What a freeze of the test database would change, by address."""
    found: dict[str, list[str]] = {}

    def collect(candidate: Candidate) -> None:
        for difference in differences(candidate):
            found.setdefault(difference.address, []).append(difference.change)

    before = makers.published(target)
    report = makers.freeze_into(target, makers.LATER, instead=collect, **options)
    assert (report.outcome is Outcome.CHECKED) == bool(found)
    assert makers.published(target) == before
    assert makers.leftovers(target) == set()
    return found


def test_nothing_changed_is_nothing_to_tell(small_site: Path) -> None:
    assert told(small_site) == {}


def test_an_edit_is_told_per_document_and_member(small_site: Path) -> None:
    makers.edit("older", title_en="Another title")

    found = told(small_site)

    title = "was “A post”, is “Another title”"
    assert found["/api/v1/posts/older"] == [f"data.title.en {title}"]
    assert found["/api/v1/posts"] == [f"data[older].title.en {title}"]
    assert "line 1 was “# A post”, is “# Another title”" in found["/blog/older.md"]
    assert all(change.startswith("line ") for change in found["/blog/older"])
    assert found.keys() == {
        "/api/v1/posts",
        "/api/v1/posts/older",
        "/blog/older",
        "/blog/older.md",
        "/blog/newer",
        "/blog/newer.md",
        *makers.LISTS_OF_POSTS,
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.md",
        "/sitemap.xml",
    }


def test_what_would_be_told_is_what_the_freeze_then_writes(small_site: Path) -> None:
    before = makers.entries(small_site)
    makers.edit("older", title_en="Another title", slug="oldest")
    rows.make_post(slug="newest", title_en="New")
    makers.retire_the_version()
    found = told(small_site)

    makers.freeze_into(small_site, makers.LATER)

    after = makers.entries(small_site)
    changed = {
        address
        for address, entry in after.items()
        if address not in before or makers.promised(before[address]) != makers.promised(entry)
    }
    documents = {address for address in found if address in before or address in after}
    assert documents == changed | (before.keys() - after.keys())


def test_new_moved_and_removed_documents_are_told(small_site: Path) -> None:
    makers.edit("older", slug="oldest")
    makers.edit("newer", state="draft")

    found = told(small_site)

    assert found["/blog/oldest.md"][0].startswith("is new (text/markdown; charset=utf-8, ")
    assert found["/blog/older"] == ["is gone, leads to https://studio.example/blog/oldest"]
    assert found["/api/v1/posts/older.json"] == [
        "leads to https://studio.example/api/v1/posts/oldest"
    ]
    assert found["/blog/newer"] == ["is gone"]


def test_redirects_that_change_or_end_are_told(small_site: Path) -> None:
    makers.edit("older", slug="oldest")
    makers.freeze_into(small_site)
    makers.edit("oldest", slug="the-oldest")
    moved = told(small_site)
    makers.edit("the-oldest", state="draft")

    ended = told(small_site)

    there = "https://studio.example/blog"
    assert moved["/blog/older"] == [f"where it leads was “{there}/oldest”, is “{there}/the-oldest”"]
    assert ended["/blog/older"] == [f"no longer leads to {there}/oldest"]


def test_headers_are_told_one_by_one(small_site: Path) -> None:
    makers.retire_the_version()

    found = told(small_site)

    assert found["/api/v1/health"] == [
        "header Deprecation is new: “@1769904000”",
        (
            "header Link is new: “<https://studio.example/docs/versioning>; "
            'rel="deprecation"; type="text/html", …”'
        ),
        "header Sunset is new: “Thu, 31 Dec 2026 23:59:59 GMT”",
    ]
    assert found["the body of a 404 below /api/"] == found["/api/v1/health"]


def test_a_damaged_file_is_told(small_site: Path) -> None:
    (small_site / "current/public/blog/older.md").write_bytes(b"Damaged")

    assert told(small_site) == {
        "/blog/older.md": ["is written afresh: its file was not as it was published"]
    }


def test_before_the_first_release_everything_is_new(tmp_path: Path) -> None:
    found: list[Difference] = []

    plain.published(tmp_path, *plain.FIRST, instead=lambda made: found.extend(differences(made)))

    assert [str(difference) for difference in found] == [
        "/: is new (text/html; charset=utf-8, 2050 bytes)",
        "/kept: is new (text/html; charset=utf-8, 7 bytes)",
        "/edited: is new (text/html; charset=utf-8, 7 bytes)",
        "/removed: is new (text/html; charset=utf-8, 7 bytes)",
        "/old: leads to https://studio.example/kept",
        "the body of a 404 below /: is new",
    ]
    assert not (tmp_path / "current").exists()


def test_what_goes_is_told_in_the_order_of_the_release(tmp_path: Path) -> None:
    going = [plain.document(f"/{number}") for number in range(50)]
    plain.published(tmp_path, plain.document("/"), *going)
    found: list[Difference] = []

    plain.published(
        tmp_path, plain.document("/"), instead=lambda made: found.extend(differences(made))
    )

    assert [difference.address for difference in found] == [each.address for each in going]


def test_the_command_tells_and_publishes_nothing(database: Path, target: Path) -> None:
    before = makers.published(target)
    nothing = processes.freeze(target, "--diff", database=database)
    processes.edit_everything(database)

    told_in_words = processes.freeze(target, "--diff", database=database)
    told_in_json = processes.freeze(target, "--diff", "--json", database=database)

    lines = [line for line in told_in_words.stdout.splitlines() if not line.startswith("  ")]
    *changes, summary = lines
    found = json.loads(told_in_json.stdout)
    assert (nothing.returncode, told_in_words.returncode, told_in_json.returncode) == (3, 0, 0)
    assert nothing.stdout.startswith("Nothing changed: ")
    assert summary.startswith("Nothing was published, and release ")
    assert [f"{each['address']}: {each['change']}" for each in found["differences"]] == changes
    assert found["outcome"] == "checked"
    assert makers.published(target) == before
