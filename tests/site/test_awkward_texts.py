"""Unusual texts of editors, which a page and its mirror must show correctly."""

import re

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from catalogue.markdown_rules import validate_markdown
from site_mirror.documents.escaping import SPECIAL_TEXT, escape_markdown, escape_match
from site_mirror.gates.mirrors import title_of_mirror
from site_mirror.pages.markdown import close_fence
from tests import factories
from tests.site.page_reader import read_document


def visible_text(markdown: str) -> str:
    """Return the text of Markdown without its markup."""
    return re.sub(r"<[^>]*>", "", MarkdownIt().render(markdown)).strip()


@pytest.mark.parametrize(
    "text",
    ["Ends with ##", "x\n  - deep", "   # no heading", " 1. no list", "+ none", "a # b", "== none"],
)
def test_escaped_text_has_no_block_markup(text: str) -> None:
    html = MarkdownIt().render(escape_markdown(text))

    assert re.findall(r"<(h\d|ul|ol|li)\b", html) == []


@given(st.text(st.sampled_from("aé1٣.)-+=#&;*_<\\ \t\n"), max_size=12))
def test_every_special_character_is_escaped(text: str) -> None:
    assert escape_markdown(text) == SPECIAL_TEXT.sub(escape_match, text)


def test_a_title_that_ends_in_hashes_keeps_them() -> None:
    assert visible_text(f"# {escape_markdown('Ends with ##')}") == "Ends with ##"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("A\n\n```\nopen", "\n```"),
        ("A\n\n~~~~ python\n```\nopen", "\n~~~~"),
        ("A\n\n```\nclosed\n```", ""),
        ("No code.", ""),
    ],
)
def test_an_open_code_fence_is_closed_at_the_end_of_its_text(text: str, end: str) -> None:
    assert close_fence(text) == text + end


def test_the_title_of_a_mirror_keeps_an_entity_as_text() -> None:
    title = "What &lt; means"

    assert title_of_mirror(f"# {escape_markdown(title)}\n".encode()) == title


@pytest.mark.parametrize(
    "target",
    ["https://other.example/a.png", "//other.example/a.png", "mailto:a@b.example", "a.png"],
)
def test_an_image_of_another_site_is_refused(target: str) -> None:
    with pytest.raises(ValidationError, match="is not of this site"):
        validate_markdown(f"![What it shows]({target})")


def test_an_image_of_the_site_is_accepted() -> None:
    validate_markdown("![What it shows](/icons/phyzix.svg)")


@pytest.mark.django_db
def test_all_ids_of_a_page_are_unique() -> None:
    factories.make_post(app=factories.make_app(), body_en="## App\n\n## Content\n\nA body.")
    for slug in ("science", "blog", "about"):
        factories.make_page(slug=slug, body_en="## A topic\n\n## Tags\n\n## Team\n\nText.")
    factories.make_topic()
    factories.make_principle(slug="team")
    factories.make_team_member(handle="team")

    for address in ("/blog/a-post", "/science", "/blog", "/about"):
        ids = re.findall(r'\bid="([^"]*)"', read_document(address))
        assert sorted(set(ids)) == sorted(ids), address
