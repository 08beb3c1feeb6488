"""Words, formulas and links of the shipped content."""

import json
import re
from http import HTTPStatus

import pytest

from api.problems import problem_body
from catalogue.addresses import Site
from catalogue.models import App, Page, Post
from catalogue.texts.markdown import link_targets, to_html
from catalogue.texts.reading_time import count_words
from tests.catalogue.shipped_texts import list_bodies, list_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]

DIACRITICS = re.compile(
    "[ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ]", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')\]*_]*\s+")


def split_sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


def test_every_vietnamese_text_is_vietnamese_and_not_the_english_one() -> None:
    """Names of apps are not translated."""
    names = set(App.objects.values_list("name", flat=True))
    english = {text for _, text in list_texts("en")}
    written = [(name, text) for name, text in list_texts("vi") if text not in names]

    assert len(written) > 100
    assert [name for name, text in written if not DIACRITICS.search(text)] == []
    assert [name for name, text in written if text in english] == []


def test_a_post_has_its_length_and_each_excerpt_two_sentences() -> None:
    for post in Post.objects.all():
        assert 600 <= count_words(post.body_en) <= 1500, post
        for excerpt in (post.excerpt_en, post.excerpt_vi):
            assert len(split_sentences(excerpt)) == 2, post
            assert excerpt.endswith("."), post


def test_vietnamese_texts_link_to_vietnamese_pages() -> None:
    """All pages are in Vietnamese; data, feeds and other files have a dot or are of the API."""
    files = re.compile(r"/api/|[^#]*\.")
    found = [
        (page, target)
        for page, body in list_bodies()
        for target in link_targets(body)
        if page.startswith("/vi") and target.startswith("/") and not files.match(target)
    ]

    assert found
    assert [pair for pair in found if not re.match("/vi(?:[/#]|$)", pair[1])] == []


def test_both_languages_of_a_body_have_the_same_parts_and_links() -> None:
    parts = ["<table", "<pre", "<li", 'display="block"', "<h2", "<h3"]
    rows = [*Post.objects.all(), *Page.objects.all()]
    for row in rows:
        english, vietnamese = to_html(row.body_en), to_html(row.body_vi)
        targets = [
            sorted(re.sub("^/vi/", "/", target) for target in link_targets(body))
            for body in (row.body_en, row.body_vi)
        ]

        assert [vietnamese.count(part) for part in parts] == [
            english.count(part) for part in parts
        ], row
        assert targets[0] == targets[1], row
        assert len(row.body_vi) > 0.7 * len(row.body_en), row


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
