"""Localized text: two columns, `<name>_en` and `<name>_vi`, that are read as one object."""

from typing import Any, NotRequired, TypedDict

ENGLISH = "en"
VIETNAMESE = "vi"
LANGUAGES = (ENGLISH, VIETNAMESE)
LANGUAGE_NAMES = {ENGLISH: "English", VIETNAMESE: "Tiếng Việt"}


class LocalizedText(TypedDict):
    """A localized text of the contract: `vi` is left out if there is no Vietnamese text."""

    en: str
    vi: NotRequired[str]


class Localized:
    """A read-only attribute that joins a pair of text columns.

    Its value is `{"en": …, "vi": …}`, without `vi` if that column is empty, and `None` if the
    English column is empty.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.english = f"{name}_{ENGLISH}"
        self.vietnamese = f"{name}_{VIETNAMESE}"

    def __get__(self, row: Any, owner: type) -> LocalizedText | None:
        english = getattr(row, self.english)
        vietnamese = getattr(row, self.vietnamese)
        if not english:
            return None
        return {"en": english, "vi": vietnamese} if vietnamese else {"en": english}


def text_in(row: object, name: str, language: str) -> str:
    """Return the text of one column of a pair; it is empty if there is no text in that language."""
    return str(getattr(row, f"{name}_{language}"))
