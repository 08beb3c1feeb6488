"""Texts of rows in the language of a page, or in English and marked as English."""

from typing import Any

from django.utils.translation import pgettext

from catalogue.texts.localized import ENGLISH, text_in
from site_mirror.pages.frame import Frame

SEPARATORS = str.maketrans(",.", ".,")


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


def translated_text(frame: Frame, text: str, kind: str, key: str = "") -> str:
    """Return a text that has no column in Vietnamese: from the catalogue, or marked as English.

    `kind` is its context in `locale/words`; `key` is its message, if that is not the text itself.
    """
    if frame.language == ENGLISH or not text:
        return text
    message = key or text
    translated = pgettext(kind, message)
    return English(text) if translated == message else translated


def localized_number(frame: Frame, number: str) -> str:
    """Return a number as the language writes it: `45,000+` is `45.000+` in Vietnamese."""
    return number if frame.language == ENGLISH else number.translate(SEPARATORS)


def has_text(row: Any, name: str, language: str) -> bool:
    return bool(text_in(row, name, language))
