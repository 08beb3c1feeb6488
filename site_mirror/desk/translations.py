"""Whether the Vietnamese texts of a row still say what the English ones say."""

from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

from django.db.models import Model, Q

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import changed_parts, digests_of, side_of


def list_pairs(model: type[Model]) -> list[tuple[str, str]]:
    """Return the columns of each text of a model in English and in Vietnamese."""
    names = [field.name for field in model._meta.fields if field.editable]
    pairs = ((name, f"{name.removesuffix(ENGLISH)}{VIETNAMESE}") for name in names)
    return [(name, other) for name, other in pairs if side_of(name) == ENGLISH and other in names]


def lacks_vietnamese(admin: Any) -> Q:
    """Return the condition of rows of which a text, or one of an inline, lacks its Vietnamese."""
    tables = [(admin.model, "pk")]
    for inline in admin.inlines:
        keys = (each for each in inline.model._meta.fields if each.related_model is admin.model)
        tables.append((inline.model, next(keys).name))
    lacking = Q(pk__in=[])
    for model, key in tables:
        texts = (~Q(**{one: ""}) & Q(**{other: ""}) for one, other in list_pairs(model))
        rows = model._default_manager.filter(reduce(or_, texts, Q(pk__in=[])))
        lacking |= Q(pk__in=rows.order_by().values(key))
    return lacking


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
