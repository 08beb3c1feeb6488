"""Descriptions of the differences of two values or two texts."""

from typing import Any

import pytest

from site_mirror.snapshot.members import changed_members
from site_mirror.snapshot.texts import changed_lines

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
def test_changed_members_are_described_one_by_one(was: Any, now: Any, said: list[str]) -> None:
    assert list(changed_members(was, now)) == said


def test_items_with_the_same_name_are_described_by_their_index() -> None:
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
def test_changed_lines_are_described_one_by_one(was: str, now: str, said: list[str]) -> None:
    assert list(changed_lines(was, now)) == said


def test_changed_lines_after_the_twentieth_are_only_counted() -> None:
    was = "".join(f"{number}\nsame\n" for number in range(30))

    first, *_, last = said = list(changed_lines(was, was.replace("\nsame", "!\nsame")))

    assert len(said) == 21
    assert (first, last) == ("line 1 was “0”, is “0!”", "10 more lines changed")


def test_a_rewritten_text_of_many_lines_is_described_in_one_phrase() -> None:
    was, now = ("".join(f"{word} {n}\n" for n in range(3000)) for word in ("a", "b"))

    assert list(changed_lines(f"same\n{was}", f"same\n{now}")) == [
        "3000 lines from line 2 on are now 3000 other lines"
    ]
