"""What a freeze would change, in words."""

import json
from pathlib import Path
from typing import Any

import pytest

from site_mirror.snapshot.differences import Difference, differences
from site_mirror.snapshot.engine import Candidate, Outcome
from site_mirror.snapshot.members import changed_members
from site_mirror.snapshot.texts import changed_lines
from tests import rows
from tests.freeze import makers, plain, processes

POSTS = [{"slug": "a", "n": 1}, {"slug": "b", "n": 2}]
LONG = "x" * 200


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["a was 1, is 2"]),
        ({"a": "A"}, {"a": "B"}, ["a was “A”, is “B”"]),
        ({"a": None}, {"a": "B"}, ["a was null, is “B”"]),
        ({"a": 1}, {"a": True}, ["a was 1, is true"]),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, ["a.b.c was 1, is 2"]),
        ({}, {"a": "A"}, ["a is new: “A”"]),
        ({"a": [1]}, {}, ["a is gone, was [1]"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ["the members: the order changed"]),
        ({"tags": ["a"]}, {"tags": ["a", "b"]}, ['tags was ["a"], is ["a","b"]']),
        ({"d": POSTS}, {"d": [POSTS[0], {"slug": "b", "n": 3}]}, ["d[b].n was 2, is 3"]),
        ({"d": POSTS}, {"d": POSTS[::-1]}, ["d: the order changed"]),
        ({"d": POSTS}, {"d": POSTS[:1]}, ['d[b] is gone, was {"slug":"b","n":2}']),
        ({"d": POSTS[:1]}, {"d": POSTS}, ['d[b] is new: {"slug":"b","n":2}']),
        ([{"x": 1}, {"x": 2}], [{"x": 1}, {"x": 3}], ["[1].x was 2, is 3"]),
        ([[1, 2]], [[1, 3]], ["[0] was [1,2], is [1,3]"]),
        ({"generatedAt": "a", "meta": {"generatedAt": "a"}}, {"meta": {}}, []),
        ({"a": {"b": 1}}, {"a": [1]}, ['a was {"b":1}, is [1]']),
        ("A", "B", ["the value was “A”, is “B”"]),
        (
            {"a": LONG + "A"},
            {"a": LONG + "B"},
            [f"a was “…{'x' * 20}A”, is “…{'x' * 20}B”"],
        ),
        ({"a": LONG}, {"a": ""}, [f"a was “{'x' * 79}…”, is “”"]),
    ],
    ids=str,
)
def test_members_are_told_one_by_one(was: Any, now: Any, said: list[str]) -> None:
    assert list(changed_members(was, now)) == said


def test_items_that_share_a_name_are_told_by_their_place() -> None:
    was = [{"slug": "a", "n": 1}, {"slug": "a", "n": 2}]
    now = [{"slug": "a", "n": 1}, {"slug": "a", "n": 3}]

    assert list(changed_members(was, now, "d")) == ["d[1].n was 2, is 3"]


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", []),
        ("a\nb\nc\n", "a\nB\nc\n", ["line 2 was “b”, is “B”"]),
        ("a\nc\n", "a\nb\nc\n", ["line 2 is new: “b”"]),
        ("a\nb\nc\n", "a\nc\n", ["line 2 is gone: “b”"]),
        ("", "a\n", ["line 1 is new: “a”"]),
        ("a\n", "", ["line 1 is gone: “a”"]),
        (
            "a\nb\nc\nd\n",
            "A\nb\nc\nD\nE\n",
            [
                "line 1 was “a”, is “A”",
                "line 4 was “d”, is “D”",
                "line 5 is new: “E”",
            ],
        ),
        ("a\na\na\n", "a\na\n", ["line 3 is gone: “a”"]),
    ],
    ids=repr,
)
def test_lines_are_told_one_by_one(was: str, now: str, said: list[str]) -> None:
    assert list(changed_lines(was, now)) == said


def test_past_twenty_lines_only_their_number_is_told() -> None:
    was = "".join(f"{number}\nsame\n" for number in range(30))

    first, *_, last = said = list(changed_lines(was, was.replace("\nsame", "!\nsame")))

    assert len(said) == 21
    assert (first, last) == ("line 1 was “0”, is “0!”", "10 more lines changed")


def test_texts_of_many_lines_are_told_in_one_phrase() -> None:
    was, now = ("".join(f"{word} {n}\n" for n in range(3000)) for word in ("a", "b"))

    assert list(changed_lines(f"same\n{was}", f"same\n{now}")) == [
        "3000 lines from line 2 on are now 3000 other lines"
    ]


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
    }


def test_what_would_be_told_is_what_the_freeze_then_writes(small_site: Path) -> None:
    before = makers.entries(small_site)
    makers.edit("older", title_en="Another title", slug="oldest")
    rows.make_post(slug="newest", title_en="New")
    makers.retire_the_version()
    found = told(small_site)

    makers.freeze_into(small_site, makers.LATER)

    after = makers.entries(small_site)
    changed = {address for address in after if before.get(address) != after[address]}
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

    *changes, summary = told_in_words.stdout.splitlines()
    found = json.loads(told_in_json.stdout)
    assert (nothing.returncode, told_in_words.returncode, told_in_json.returncode) == (3, 0, 0)
    assert nothing.stdout.startswith("Nothing changed: ")
    assert summary.startswith("Nothing was published, and release ")
    assert [f"{each['address']}: {each['change']}" for each in found["differences"]] == changes
    assert found["outcome"] == "checked"
    assert makers.published(target) == before
