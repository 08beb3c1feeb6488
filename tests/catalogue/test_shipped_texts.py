"""Words and examples of the shipped content."""

import json
import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest

from api.problems import problem_body
from catalogue.addresses import Site
from catalogue.models import App, Page, Post
from catalogue.texts.reading_time import count_words
from site_mirror.pages.html import MAX_DESCRIPTION
from tests.factories import list_content_tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]

DIACRITICS = re.compile(
    "[ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ]", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')\]*_]*\s+")


def split_sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


def list_texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text in a language, with the name of its row and column."""
    for model in list_content_tables():
        for row in model._default_manager.all():
            for field in model._meta.concrete_fields:
                is_text = field.editable and field.name.endswith(f"_{language}")
                if is_text and getattr(row, field.name):
                    yield f"{model.__name__} {row} {field.name}", getattr(row, field.name)


def test_every_vietnamese_text_is_vietnamese_and_not_the_english_one() -> None:
    """Names of apps are not translated."""
    names = set(App.objects.values_list("name", flat=True))
    english = {text for _, text in list_texts("en")}
    written = [(name, text) for name, text in list_texts("vi") if text not in names]

    assert len(written) > 100
    assert [name for name, text in written if not DIACRITICS.search(text)] == []
    assert [name for name, text in written if text in english] == []


def test_a_post_has_its_length_and_each_excerpt_two_short_sentences() -> None:
    for post in Post.objects.all():
        assert 600 <= count_words(post.body_en) <= 1500, post
        for excerpt in (post.excerpt_en, post.excerpt_vi):
            assert len(split_sentences(excerpt)) == 2, post
            assert excerpt.endswith("."), post
            assert len(excerpt) <= MAX_DESCRIPTION, post


@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_example_of_a_problem_is_what_the_api_says(language: str) -> None:
    written = getattr(Page.objects.get(slug="docs-problems"), f"body_{language}")
    body = written.replace("{site}", "https://studio.example")
    examples = [
        json.loads(code)
        for code in re.findall(r"^```json$(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    ]

    assert [example["status"] for example in examples] == [400, 404, 405, 412, 429, 500, 503]
    for example in examples:
        made = problem_body(
            Site("https://studio.example"),
            HTTPStatus(example["status"]),
            detail=example["detail"] if example["status"] == HTTPStatus.NOT_FOUND else "",
            instance=example["instance"],
        )

        assert example == json.loads(made)
