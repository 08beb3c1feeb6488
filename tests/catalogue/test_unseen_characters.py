"""A character that nobody sees does not change what Markdown means."""

import unicodedata
from itertools import chain

import pytest
from django.db import connection
from django.test import Client

from catalogue.models import Post
from catalogue.texts.fields import normalize_text
from catalogue.texts.markdown import to_html
from tests import factories
from tests.admin_pages import save_form
from tests.pages.page_reader import read_document

REFUSED = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"
SPACES = "\xa0\u1680\u2000\u2003\u2009\u202f\u205f\u3000"
UNSEEN = [
    character
    for character in map(chr, chain(range(0x20000), range(0xE0000, 0xE1000)))
    if character not in "\t\n" + LINE_ENDS
    and character not in REFUSED
    and (
        unicodedata.category(character) in ("Cc", "Cf")
        or character in "\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe0e\ufe0f\uffa0\U000e0100"
    )
    and not unicodedata.name(character, "").startswith(
        ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")  # They have a form.
    )
]
NEVER_KEPT = "\x00\x01\x1b\x7f\x9f\u180e\u200b\u2060\u2064\u206a\ufeff\ufffb"
BLOCKS = [
    *("## A heading", "- a\n- b", "1. a\n2. b", "> a", "```\na\n```", "| a |\n|---|\n| b |"),
    *(
        "[a]\n\n[a]: /b",
        "a[^1]\n\n[^1]: b",
        "a\n\n---\n\nb",
        "    code",
        "- a\n\n  b",
        "<!-- a",
        "&amp;",
    ),
]
INLINES = ["**a** b", "[a](/b)", "![a](/b)", "`a`", "$a$", "~~a~~", r"\*a", "<https://a.example>"]


def test_unseen_characters_at_a_line_start_change_nothing() -> None:
    assert len(UNSEEN) > 150
    for block in BLOCKS:
        expected = to_html(block)
        for character in (*UNSEEN, *SPACES, "\u200d\xa0\ufeff", "\ufeff\u2003\u200c"):
            text = "\n".join(character + line if line else "" for line in block.split("\n"))

            assert to_html(normalize_text(text)) == expected, (block, ascii(character))


def test_spaces_after_a_marker_are_spaces() -> None:
    for marker, space in (
        (marker, space)
        for marker in ("##", "-", "*", "> ##", "1.", "2)", "> -", "> 30.")
        for space in SPACES
    ):
        assert to_html(normalize_text(f"{marker}{space}a")) == to_html(f"{marker} a")


@pytest.mark.parametrize("inline", INLINES)
def test_characters_of_no_word_change_nothing_anywhere(inline: str) -> None:
    for place in range(len(inline) + 1):
        for character in NEVER_KEPT:
            text = inline[:place] + character + inline[place:]

            assert normalize_text(text) == inline, ascii(text)


def test_joiners_behind_punctuation_change_nothing() -> None:
    for inline in INLINES:
        for place in range(len(inline) + 1):
            if not inline[:place][-1:].isalpha():
                for character in "\xad\u200c\u200d\u200e\ufe0f":
                    assert normalize_text(inline[:place] + character + inline[place:]) == inline


@pytest.mark.parametrize(
    "text",
    [
        "👩‍🔬",
        "👩🏽‍❤️‍👨🏽",
        "🏴\U000e0067\U000e0062\U000e007f",
        "1️⃣ và #️⃣",
        "©️",
        "می‌خواهم",
        "क्‍ष",
        "Auf\xadlage",
        "5\xa0m",
        "a\u2009b",
        "“\xa0”",
    ],
)
def test_what_scripts_and_emoji_need_is_kept(text: str) -> None:
    assert normalize_text(text) == normalize_text(f"a {text}")[2:] == text


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_every_line_end_is_one(line_end: str) -> None:
    assert normalize_text(f"a{line_end}## b") == "a\n## b"


MARKED = "\ufeff## Một phần\x00\n\n\u200b- a\n\u2060- b"


@pytest.mark.django_db
def test_every_way_of_saving_drops_them_and_page_and_mirror_agree(editor: Client) -> None:
    post = factories.make_post()
    assert save_form(editor, post, body_en=MARKED).status_code == 302
    factories.make_post(slug="saved", body_en=MARKED)

    factories.make_post(slug="updated")
    Post.objects.filter(slug="updated").update(body_en=MARKED)
    with connection.cursor() as cursor:
        cursor.execute("SELECT body_en FROM catalogue_post")
        bodies = {body for (body,) in cursor.fetchall()}

    assert bodies == {"## Một phần\n\n- a\n- b"}
    assert ">Một phần</h2>" in read_document("/blog/saved")
    assert "\n## Một phần\n\n- a\n- b\n" in read_document("/blog/saved.md")
