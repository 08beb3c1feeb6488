"""Whether the Vietnamese texts of a row still say what the English ones say."""

from hashlib import sha256

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Translation
from site_mirror.desk.parts import digests_of, side_of


def texts_in(data: Data, language: str) -> str:
    """Return a digest of the texts in a language; it is empty if there are none."""
    texts = {part: digest for part, digest in digests_of(data).items() if side_of(part) == language}
    return sha256(repr(sorted(texts.items())).encode()).hexdigest() if texts else ""


def note_publication(
    kind: str, row: int, before: Data, after: Data, *, is_small: bool = False
) -> None:
    """Remember whether the Vietnamese texts are right after a publication.

    They are if they were published, too, or if the change of the English is a small correction.
    """
    translation = Translation.objects.filter(kind=kind, row=row).first()
    is_translated = texts_in(before, VIETNAMESE) != texts_in(after, VIETNAMESE)
    was_right = translation is None or translation.english == texts_in(before, ENGLISH)
    if is_translated or (is_small and was_right):
        english = texts_in(after, ENGLISH)
    elif translation is None:
        english = texts_in(before, ENGLISH)
    else:
        return
    Translation.objects.update_or_create(kind=kind, row=row, defaults={"english": english})


def is_outdated(kind: str, row: int, data: Data) -> bool:
    """Whether the English texts have changed since the Vietnamese ones were right."""
    translation = Translation.objects.filter(kind=kind, row=row).first()
    if translation is None or not texts_in(data, VIETNAMESE):
        return False
    return translation.english != texts_in(data, ENGLISH)
