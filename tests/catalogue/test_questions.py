"""Questions have an order that all servers agree on, and count what readers see."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet
from django.db.models.expressions import OrderBy

from catalogue import questions
from catalogue.models.collation import Bytewise
from tests.factories import NOW, make_post, make_tag, make_translated_post

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

Question = Callable[..., Any]


def slugs(rows: Any) -> list[str]:
    return [row.slug for row in rows]


def list_lists() -> dict[str, QuerySet[Any]]:
    """Return the answers to all questions about a moment alone, or about one in a language."""
    known = {"at": NOW, "language": "vi"}
    asked = {
        name: inspect.signature(value).parameters.keys()
        for name, value in vars(questions).items()
        if inspect.isfunction(value) and value.__module__ == questions.__name__
    }
    answers = {
        name: getattr(questions, name)(**{each: known[each] for each in parameters})
        for name, parameters in asked.items()
        if "at" in parameters and parameters <= known.keys()
    }
    return {name: rows for name, rows in answers.items() if isinstance(rows, QuerySet)}


def test_an_order_ends_in_a_unique_column_by_its_bytes() -> None:
    lists = list_lists()
    for name in ("studio", "standing_pages", "years"):  # one row, a set, and rows without a key
        del lists[name]
    for name, rows in lists.items():
        last = rows.query.order_by[-1]
        bytewise = last.expression if isinstance(last, OrderBy) else last

        assert isinstance(bytewise, Bytewise), name
        assert rows.model._meta.get_field(bytewise.source_expressions[0].name).unique, name
    assert len(lists) > 15


def test_a_tag_and_a_year_count_their_posts_in_a_language() -> None:
    sound, light = (make_tag(slug=slug) for slug in ("sound", "light"))
    make_translated_post(slug="both").tags.set([sound])
    make_post(slug="english").tags.set([sound, light])

    def count(question: Question, language: str) -> list[tuple[int, int]]:
        rows = question(NOW, language=language)
        return [(row.post_count, row.translated_count) for row in rows]

    assert slugs(questions.tags(NOW, language="en")) == ["light", "sound"]
    assert count(questions.tags, "en") == [(1, 0), (2, 1)]
    assert slugs(questions.tags(NOW, language="vi")) == ["sound"]
    assert count(questions.tags, "vi") == [(1, 1)]
    assert [count(questions.years, each) for each in ("en", "vi")] == [[(2, 1)], [(1, 1)]]


def test_the_tags_are_asked_for_without_a_left_join() -> None:
    """SQLite would search all posts for each tag: minutes with 10,000 posts."""
    assert " LEFT " not in str(questions.tags(NOW, language="en").query)
