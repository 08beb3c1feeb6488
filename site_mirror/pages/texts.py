"""Texts of rows in the language of a page, or in English and marked as English."""

from typing import Any

from catalogue.texts.localized import ENGLISH, text_in
from site_mirror.pages.frame import Frame


class English(str):
    """English text on a page of another language."""

    __slots__ = ()
    language = ENGLISH


def localized_text(frame: Frame, row: Any, name: str) -> str:
    """Return a text of a row in the page's language, or in English if there is no translation."""
    text = text_in(row, name, frame.language)
    if text or frame.language == ENGLISH:
        return text
    return English(text_in(row, name, ENGLISH))


def has_text(row: Any, name: str, language: str) -> bool:
    return bool(text_in(row, name, language))
