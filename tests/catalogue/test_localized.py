from typing import Any

import pytest

from catalogue.localized import text_in
from catalogue.models import App, Post, Studio
from catalogue.models.studio import TeamMember


@pytest.mark.parametrize(
    ("english", "vietnamese", "joined"),
    [
        ("A phone", "Điện thoại", {"en": "A phone", "vi": "Điện thoại"}),
        ("A phone", "", {"en": "A phone"}),
        ("", "", None),
        ("", "Điện thoại", None),
    ],
)
def test_two_columns_read_as_one_object(
    english: str, vietnamese: str, joined: dict[str, str] | None
) -> None:
    app = App(tagline_en=english, tagline_vi=vietnamese)

    assert app.tagline == joined


def test_english_is_the_first_member_of_a_localized_text() -> None:
    assert list(App(spec_vi="hai", spec_en="two").spec or {}) == ["en", "vi"]


def test_each_localized_text_reads_its_own_columns() -> None:
    post = Post(title_en="Title", excerpt_en="Excerpt", excerpt_vi="Tóm tắt")

    assert post.title == {"en": "Title"}
    assert post.excerpt == {"en": "Excerpt", "vi": "Tóm tắt"}


def test_a_localized_text_reads_the_current_values_of_its_columns() -> None:
    member = TeamMember(role_en="QA")
    member.role_vi = "Kiểm thử"

    assert member.role == {"en": "QA", "vi": "Kiểm thử"}


def test_changing_a_localized_text_does_not_change_the_row() -> None:
    studio = Studio(tagline_en="One")
    text: Any = studio.tagline
    text["en"] = "Two"

    assert studio.tagline == {"en": "One"}


@pytest.mark.parametrize(("language", "text"), [("en", "A title"), ("vi", "")])
def test_one_language_of_a_localized_text_is_its_column(language: str, text: str) -> None:
    assert text_in(Post(title_en="A title"), "title", language) == text
