import pytest

from catalogue.models import App, Post
from catalogue.texts.localized import text_in


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
    """English is its first member, and each text reads its own columns."""
    app = App(tagline_en=english, tagline_vi=vietnamese, spec_en="two")

    assert app.tagline == joined
    assert list(app.tagline or {}) == list(joined or {})
    assert app.spec == {"en": "two"}


@pytest.mark.parametrize(("language", "text"), [("en", "A title"), ("vi", "")])
def test_one_language_of_a_localized_text_is_its_column(language: str, text: str) -> None:
    assert text_in(Post(title_en="A title"), "title", language) == text
