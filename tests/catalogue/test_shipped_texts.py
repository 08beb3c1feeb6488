"""Words, formulas and links of the shipped content."""

import itertools
import json
import re
from collections import Counter
from http import HTTPStatus
from typing import Any

import pytest

from api.problems import problem_body
from catalogue import addresses
from catalogue.addresses import Site, vietnamese_page
from catalogue.markdown import link_targets, to_html
from catalogue.models import (
    Page,
    Post,
)
from catalogue.reading_time import count_words
from tests.catalogue.shipped_texts import (
    DIACRITICS,
    POSTS,
    content,
    list_bodies,
    list_links,
    list_published_addresses,
    list_section_ids,
    list_texts,
    list_translated_bodies,
    list_vietnamese_texts,
    remove_code_and_tables,
    split_sentences,
    split_words,
)

__all__ = ["content"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]


def test_every_vietnamese_text_has_vietnamese_diacritics() -> None:
    written = list_vietnamese_texts()

    assert len(written) > 100
    assert [name for name, text in written if not DIACRITICS.search(text)] == []


def test_no_english_text_is_repeated_as_the_vietnamese_one() -> None:
    english = {text for _, text in list_texts("en")}

    assert [name for name, text in list_vietnamese_texts() if text in english] == []


@pytest.mark.parametrize("slug", POSTS)
@pytest.mark.parametrize("language", ["en", "vi"])
def test_an_excerpt_is_two_sentences(slug: str, language: str) -> None:
    post = Post.objects.get(slug=slug)
    excerpt = getattr(post, f"excerpt_{language}")
    written = bool(getattr(post, f"body_{language}"))

    assert len(split_sentences(excerpt)) == (2 if written else 0)
    assert not written or excerpt.endswith(".")


@pytest.mark.parametrize("slug", POSTS)
def test_a_post_has_600_to_1500_english_words(slug: str) -> None:
    assert 600 <= count_words(Post.objects.get(slug=slug).body_en) <= 1500


@pytest.mark.parametrize("slug", POSTS)
def test_a_translated_post_is_translated_in_full(slug: str) -> None:
    post = Post.objects.get(slug=slug)
    headings = [len(re.findall(r"<h[2-6]", to_html(body))) for body in (post.body_en, post.body_vi)]

    assert not post.body_vi or headings[0] == headings[1]
    assert not post.body_vi or len(post.body_vi) > 0.7 * len(post.body_en)


def posts_and_languages() -> list[Any]:
    return [pytest.param(slug, language) for slug in POSTS for language in ("en", "vi")]


@pytest.mark.parametrize(("slug", "language"), posts_and_languages())
def test_a_post_has_sections_a_table_a_code_block_a_formula_and_links(
    slug: str, language: str
) -> None:
    body = getattr(Post.objects.get(slug=slug), f"body_{language}")
    html = to_html(body)
    found = {
        "sections": html.count("<h2 ") >= 3,
        "table": "<table>" in html,
        "code": '<code class="language-' in html,
        "formula": "<math " in html,
        "links": len([target for target in link_targets(body) if target.startswith("/")]) >= 2,
    }

    assert not body or all(found.values()), found


def test_headings_of_every_body_begin_at_the_second_level() -> None:
    for page, body in list_bodies():
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", to_html(body))]
        steps = [after - before for before, after in itertools.pairwise(levels)]

        assert 1 not in levels, page
        assert levels[:1] in ([], [2]), page
        assert all(step <= 1 for step in steps), page


def test_every_formula_of_a_body_becomes_mathml_without_unknown_commands() -> None:
    found = 0
    for page, body in list_bodies():
        html = to_html(body)
        found += html.count("<math ")

        assert "data-math-style" not in html, page
        assert not re.findall(r">\\[A-Za-z]+<", html), page
        assert not re.search(r"(?<!\\)\$", re.sub(r"<code.*?</code>", "", html, flags=re.DOTALL)), (
            page
        )
    assert found > 50


def test_no_body_holds_raw_html_an_image_or_a_link_to_another_site() -> None:
    for page, body in list_bodies():
        html = to_html(body)
        words = re.sub(r"<(code|math).*?</\1>", "", html, flags=re.DOTALL)

        assert not re.search(r"&lt;[a-zA-Z/!?]", words), page
        assert "<img" not in html, page


def test_every_internal_link_leads_to_an_address_that_exists() -> None:
    known = list_published_addresses()
    internal = [
        (page, target) for page, target in list_links() if not re.match(r"https?:|mailto:", target)
    ]
    broken = [(page, target) for page, target in internal if target.split("#")[0] not in known]

    assert len(internal) > 50
    assert broken == []


def test_every_link_to_a_section_leads_to_a_section_that_exists() -> None:
    ids = list_section_ids()
    sections = [(page, target.partition("#")) for page, target in list_links() if "#" in target]
    broken = [
        (page, target)
        for page, (target, _, section) in sections
        if section not in ids.get(target or page, set())
    ]

    assert sections
    assert broken == []


def test_the_problem_type_of_the_contract_is_a_section_of_its_page() -> None:
    assert "rate-limit-exceeded" in list_section_ids()[addresses.PROBLEM_TYPES]


def test_vietnamese_texts_link_to_vietnamese_pages_where_there_are_any() -> None:
    known = list_published_addresses()
    found = [
        (page, target)
        for page, target in list_links()
        if page.startswith("/vi") and target.startswith("/") and not target.startswith("/vi")
        if vietnamese_page(target.split("#")[0]) in known
    ]

    assert found == []


@pytest.mark.parametrize("language", ["en", "vi"])
def test_no_sentence_of_more_than_forty_characters_is_repeated(language: str) -> None:
    counted = Counter(
        sentence
        for _, text in list_texts(language)
        for paragraph in remove_code_and_tables(text).split("\n\n")
        for sentence in split_sentences(paragraph)
        if len(sentence) > 40 and re.search(r"[.!?…]\W*$", sentence)
    )

    assert len(counted) > 400
    assert [sentence for sentence, times in counted.items() if times > 1] == []


def test_code_blocks_name_their_language() -> None:
    for page, body in list_bodies():
        assert not re.search("<pre[^>]*><code>", to_html(body)), page


def test_both_languages_of_a_body_lead_to_the_same_addresses() -> None:
    targets = {
        slug: [
            sorted(re.sub("^/vi/", "/", target) for target in link_targets(body)) for body in both
        ]
        for slug, *both in list_translated_bodies()
    }

    assert {slug: pair for slug, pair in targets.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize("part", ["<table", "<pre", "<li", 'display="block"'])
def test_both_languages_of_a_body_have_the_same_parts(part: str) -> None:
    counted = {
        slug: (to_html(english).count(part), to_html(vietnamese_body).count(part))
        for slug, english, vietnamese_body in list_translated_bodies()
    }

    assert any(english for english, _ in counted.values())
    assert {slug: pair for slug, pair in counted.items() if len(set(pair)) > 1} == {}


@pytest.mark.parametrize("language", ["en", "vi"])
def test_quotes_and_apostrophes_are_typographic(language: str) -> None:
    assert [
        name for name, text in list_texts(language) if re.search("[\"']", split_words(text))
    ] == []


@pytest.mark.parametrize(("language", "mark"), [("en", ","), ("vi", r"\.")])
def test_no_number_has_the_decimal_mark_of_the_other_language(language: str, mark: str) -> None:
    """A mark before three digits separates thousands. Versions of licences are left out."""
    decimal = re.compile(rf"(?<!CC BY )(?<!Ghi công )\b\d+{mark}(?!\d{{3}}\b)\d")
    found = {name: decimal.findall(split_words(text)) for name, text in list_texts(language)}

    assert {name: numbers for name, numbers in found.items() if numbers} == {}


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
