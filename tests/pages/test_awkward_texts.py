"""Unusual texts of editors, which a page and its mirror must show correctly."""

import json
import re
from html import unescape

import pytest

from site_mirror.documents.escaping import escape_markdown
from site_mirror.gates.mirrors import title_of_mirror
from site_mirror.pages.markdown import close_fence
from tests import factories
from tests.pages.page_reader import read_document
from tests.pages.published.page_words import READER

AWKWARD = (
    *(
        "Ends with ##",
        "x\n  - deep",
        "   # no heading",
        " 1. no list",
        "2) none",
        "+ none",
        "a # b",
    ),
    *("== none", "\\ `c` *d* _e_ [f](g) <b> h | i $j$ ~~k~~", "What &lt; and &#38; mean", "1.5 m"),
)


@pytest.mark.parametrize("text", AWKWARD)
def test_a_reader_of_escaped_text_sees_the_text(text: str) -> None:
    html = READER.render(escape_markdown(text))
    shown = unescape(re.sub(r"</?p>", "", html))

    assert re.findall(r"<(?!/?p>)", html) == []
    assert [line.strip() for line in shown.splitlines()] == [
        line.strip() for line in text.splitlines()
    ]


def test_the_title_of_a_mirror_is_the_text_that_was_escaped() -> None:
    for title in ("What &lt; means", "Ends with ##"):
        assert title_of_mirror(f"# {escape_markdown(title)}\n".encode()) == title


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("A\n\n```\nopen", "\n```"),
        ("A\n\n~~~~ python\n```\nopen", "\n~~~~"),
        ("A\n\n```\nclosed\n```", ""),
        *(
            (text, "")
            for text in ("No code.", "``` code ``` A", "- A\n\n  ```\n  open", "> ```\n> A")
        ),
    ],
)
def test_an_open_code_fence_is_closed_at_the_end_of_its_text(text: str, end: str) -> None:
    assert close_fence(text) == text + end


def test_all_ids_of_a_page_are_unique(db: None) -> None:
    factories.make_post(app=factories.make_app(), body_en="## App\n\n## Content\n\nA body.")
    for slug in ("science", "blog", "about"):
        factories.make_page(slug=slug, body_en="## A topic\n\n## Tags\n\n## Team\n\nText.")
    factories.make_topic()
    factories.make_principle(slug="team")
    factories.make_team_member(handle="team")

    for address in ("/blog/a-post", "/science", "/blog", "/about"):
        ids = re.findall(r'\bid="([^"]*)"', read_document(address))
        assert sorted(set(ids)) == sorted(ids), address


def test_a_title_ends_no_structured_data_and_is_no_template(db: None) -> None:
    factories.make_post(title_en="</script>&<b>")
    factories.make_post(slug="braces", title_en="{{ page }} {title} %(title)s")
    html = read_document("/blog/a-post")

    assert "<h1>{{ page }} {title} %(title)s</h1>" in read_document("/blog/braces")
    data = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert "</script>&<b>" in {json.loads(each).get("headline") for each in data}
