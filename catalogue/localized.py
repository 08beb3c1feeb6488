"""Two columns, `<name>_en` and `<name>_vi`, read as one object."""

from typing import Any, NotRequired, TypedDict

ENGLISH = "en"
VIETNAMESE = "vi"
LANGUAGES = (ENGLISH, VIETNAMESE)


class LocalizedText(TypedDict):
    """The contract's Localized: `en` always, `vi` only where there is Vietnamese."""

    en: str
    vi: NotRequired[str]


class Localized:
    """A read-only attribute that joins a pair of text columns.

    Reads `{"en": …, "vi": …}`, without `vi` where that column is empty, and `None` where the
    English one is.
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


def in_language(row: object, name: str, language: str) -> str:
    """Text of one column of a pair; empty where the row has none in that language."""
    return str(getattr(row, f"{name}_{language}"))
