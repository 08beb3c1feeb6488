"""Whether the Vietnamese texts of a row still say what the English ones say."""

from hashlib import sha256

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import changed_parts, digests_of, side_of


def digests_in(data: Data, language: str) -> dict[str, str]:
    """Return digests of the texts in a language, those in rows of inlines too."""
    return digests_of({name: data[name] for name in data if side_of(name) == language})


def texts_in(data: Data, language: str) -> str:
    """Return a digest of the texts in a language; it is empty if there are none."""
    texts = digests_in(data, language)
    return sha256(repr(sorted(texts.items())).encode()).hexdigest() if texts else ""


def parts_with_other_english(before: Data, after: Data) -> set[str]:
    changed = changed_parts(digests_in(before, ENGLISH), digests_in(after, ENGLISH))
    return {name.partition("-")[0] for name in changed}


def note_publication(draft: Draft, before: Data, after: Data, *, is_small: bool) -> None:
    """Remember whether the Vietnamese texts are right after a publication.

    They are if they were published, too, or if the change of the English is a small correction.
    """
    english = texts_in(before, ENGLISH)
    was_right = draft.translated_from in ("", english)
    if texts_in(before, VIETNAMESE) != texts_in(after, VIETNAMESE) or (is_small and was_right):
        draft.translated_from = texts_in(after, ENGLISH)
    else:
        draft.translated_from = draft.translated_from or english


def is_outdated(draft: Draft, data: Data) -> bool:
    """Whether the English texts have changed since the Vietnamese ones were right."""
    known, is_translated = draft.translated_from, bool(texts_in(data, VIETNAMESE))
    return bool(known) and is_translated and known != texts_in(data, ENGLISH)
