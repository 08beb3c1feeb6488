"""Texts that editors may write, and that a page and its mirror must both survive."""

import re

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from catalogue.markdown_rules import safe_markdown
from site_mirror.escaping import SPECIAL, escaped, plain
from site_mirror.gates.agreements import title_of_mirror
from site_mirror.pages.markdown import closed
from tests import rows
from tests.site.reading import served


def shown(markdown: str) -> str:
    """The words that a reader of Markdown sees."""
    return re.sub(r"<[^>]*>", "", MarkdownIt().render(markdown)).strip()


@pytest.mark.parametrize(
    "text",
    ["Ends with ##", "x\n  - deep", "   # no heading", " 1. no list", "+ none", "a # b", "== none"],
)
def test_plain_text_is_no_markdown(text: str) -> None:
    found = MarkdownIt().render(plain(text))

    assert re.findall(r"<(h\d|ul|ol|li)\b", found) == []


@given(st.text(st.sampled_from("aé1٣.)-+=#&;*_<\\ \t\n"), max_size=12))
def test_nothing_special_is_overlooked(text: str) -> None:
    assert plain(text) == SPECIAL.sub(escaped, text)


def test_a_title_that_ends_in_hashes_keeps_them() -> None:
    assert shown(f"# {plain('Ends with ##')}") == "Ends with ##"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("A\n\n```\nopen", "\n```"),
        ("A\n\n~~~~ python\n```\nopen", "\n~~~~"),
        ("A\n\n```\nclosed\n```", ""),
        ("No code.", ""),
    ],
)
def test_code_that_nobody_closed_ends_with_its_text(text: str, end: str) -> None:
    assert closed(text) == text + end


def test_a_title_with_an_entity_is_told_as_it_reads() -> None:
    title = "What &lt; means"

    assert title_of_mirror(f"# {plain(title)}\n".encode()) == title


@pytest.mark.parametrize(
    "target",
    ["https://other.example/a.png", "//other.example/a.png", "mailto:a@b.example", "a.png"],
)
def test_a_picture_from_elsewhere_is_refused(target: str) -> None:
    with pytest.raises(ValidationError, match="is not of this site"):
        safe_markdown(f"![What it shows]({target})")


def test_a_picture_of_the_site_is_taken() -> None:
    safe_markdown("![What it shows](/icons/phyzix.svg)")


@pytest.mark.django_db
def test_a_heading_shares_its_id_with_nothing_else_of_the_page() -> None:
    rows.make_post(app=rows.make_app(), body_en="## App\n\n## Content\n\nA body.")
    for slug in ("science", "blog", "about"):
        rows.make_page(slug=slug, body_en="## A topic\n\n## Tags\n\n## Team\n\nText.")
    rows.make_topic()
    rows.make_principle(slug="team")
    rows.make_team_member(handle="team")

    for address in ("/blog/a-post", "/science", "/blog", "/about"):
        ids = re.findall(r'\bid="([^"]*)"', served(address))
        assert sorted(set(ids)) == sorted(ids), address
