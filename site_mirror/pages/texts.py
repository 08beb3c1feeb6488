"""Texts of rows in the language of a page, and in English, marked as such, where there are none."""

from typing import Any

from catalogue.localized import ENGLISH, in_language
from site_mirror.pages.frame import Frame


class English(str):
    """English text on a page of another language."""

    __slots__ = ()
    language = ENGLISH


def said(frame: Frame, row: Any, name: str) -> str:
    """A text of a pair of columns."""
    text = in_language(row, name, frame.language)
    if text or frame.language == ENGLISH:
        return text
    return English(in_language(row, name, ENGLISH))


def written(row: Any, name: str, language: str) -> bool:
    return bool(in_language(row, name, language))
