"""The option `--diff` lists what a freeze would change."""

import json
from pathlib import Path
from typing import Any

from site_mirror.snapshot.report import Outcome
from tests import factories
from tests.freeze import commands, engine, sites, target_files


def find_differences(target: Path, **options: Any) -> dict[str, list[str]]:
    """Return the changes that a freeze of the test database would make, by address."""
    before = target_files.read_published(target)
    report = sites.freeze_into(target, sites.LATER, differences=True, **options)
    found: dict[str, list[str]] = {}
    for difference in report.differences:
        found.setdefault(difference.address, []).append(difference.change)
    assert (report.outcome is Outcome.CHECKED) == bool(found)
    assert target_files.read_published(target) == before
    assert target_files.find_leftovers(target) == set()
    return found


def test_an_unchanged_site_has_no_differences(small_site: Path) -> None:
    assert find_differences(small_site) == {}


def test_an_edit_is_listed_by_document_and_member(small_site: Path) -> None:
    sites.edit_post("older", title_en="Another title")

    found = find_differences(small_site)

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
        *sites.LISTS_OF_POSTS,
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.md",
        "/sitemap.xml",
    }


def test_the_listed_differences_are_the_documents_that_the_freeze_writes(small_site: Path) -> None:
    before = target_files.read_entries(small_site)
    sites.edit_post("older", title_en="Another title", slug="oldest")
    factories.make_post(slug="newest", title_en="New")
    sites.deprecate_version()
    found = find_differences(small_site)

    sites.freeze_into(small_site, sites.LATER)

    after = target_files.read_entries(small_site)
    changed = {
        address
        for address, entry in after.items()
        if address not in before
        or target_files.without_inputs(before[address]) != target_files.without_inputs(entry)
    }
    documents = {address for address in found if address in before or address in after}
    assert documents == changed | (before.keys() - after.keys())


def test_new_moved_and_removed_documents_are_listed(small_site: Path) -> None:
    sites.edit_post("older", slug="oldest")
    sites.edit_post("newer", state="draft")

    found = find_differences(small_site)

    assert found["/blog/oldest.md"][0].startswith("is new (text/markdown; charset=utf-8, ")
    assert found["/blog/older"] == ["is gone, leads to https://studio.example/blog/oldest"]
    assert found["/api/v1/posts/older.json"] == [
        "leads to https://studio.example/api/v1/posts/oldest"
    ]
    assert found["/blog/newer"] == ["is gone"]


def test_redirects_that_change_or_end_are_listed(small_site: Path) -> None:
    sites.edit_post("older", slug="oldest")
    sites.freeze_into(small_site)
    sites.edit_post("oldest", slug="the-oldest")
    moved = find_differences(small_site)
    sites.edit_post("the-oldest", state="draft")

    ended = find_differences(small_site)

    there = "https://studio.example/blog"
    assert moved["/blog/older"] == [f"where it leads was “{there}/oldest”, is “{there}/the-oldest”"]
    assert ended["/blog/older"] == [f"no longer leads to {there}/oldest"]


def test_changed_headers_are_listed_one_by_one(small_site: Path) -> None:
    sites.deprecate_version()

    found = find_differences(small_site)

    assert found["/api/v1/health"] == [
        "header Deprecation is new: “@1769904000”",
        (
            "header Link is new: “<https://studio.example/docs/versioning>; "
            'rel="deprecation"; type="text/html", …”'
        ),
        "header Sunset is new: “Thu, 31 Dec 2026 23:59:59 GMT”",
    ]
    assert found["the body of a 404 below /api/"] == found["/api/v1/health"]


def test_a_damaged_file_is_listed_as_a_difference(small_site: Path) -> None:
    (small_site / "current/public/blog/older.md").write_bytes(b"Damaged")

    assert find_differences(small_site) == {
        "/blog/older.md": ["is written afresh: its file was not as it was published"]
    }


def test_before_the_first_release_everything_is_new(tmp_path: Path) -> None:
    report = engine.publish(tmp_path, *engine.FIRST, differences=True)

    assert [str(difference) for difference in report.differences] == [
        "/: is new (text/html; charset=utf-8, 2050 bytes)",
        "/kept: is new (text/html; charset=utf-8, 7 bytes)",
        "/edited: is new (text/html; charset=utf-8, 7 bytes)",
        "/removed: is new (text/html; charset=utf-8, 7 bytes)",
        "/old: leads to https://studio.example/kept",
        "the body of a 404 below /: is new",
    ]
    assert not (tmp_path / "current").exists()


def test_removed_documents_are_listed_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    going = [engine.make_document(f"/{number}") for number in range(50)]
    engine.publish(tmp_path, engine.make_document("/"), *going)

    report = engine.publish(tmp_path, engine.make_document("/"), differences=True)

    assert [difference.address for difference in report.differences] == [
        each.address for each in going
    ]


def test_the_option_diff_lists_differences_and_publishes_nothing(small_site: Path) -> None:
    before = target_files.read_published(small_site)
    nothing = commands.freeze(str(small_site), "--diff")
    sites.edit_everything()

    text_output = commands.freeze(str(small_site), "--diff")
    json_output = commands.freeze(str(small_site), "--diff", "--json")

    lines = [line for line in text_output.stdout.splitlines() if not line.startswith("  ")]
    *changes, summary = lines
    found = json.loads(json_output.stdout)
    assert (nothing.returncode, text_output.returncode, json_output.returncode) == (3, 0, 0)
    assert nothing.stdout.startswith("Nothing changed: ")
    assert summary.startswith("Nothing was published, and release ")
    assert [f"{each['address']}: {each['change']}" for each in found["differences"]] == changes
    assert found["outcome"] == "checked"
    assert target_files.read_published(small_site) == before
