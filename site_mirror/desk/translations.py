"""Whether the Vietnamese texts of a row still say what the English ones say."""

from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

from django.db.models import Model, Q

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import ROWS_OF_INLINE, changed_parts, digests_of, side_of


def list_pairs(model: type[Model]) -> list[tuple[str, str]]:
    """Return the columns of each text of a model in English and in Vietnamese."""
    names = [field.name for field in model._meta.fields if field.editable]
    pairs = ((name, f"{name.removesuffix(ENGLISH)}{VIETNAMESE}") for name in names)
    return [(name, other) for name, other in pairs if side_of(name) == ENGLISH and other in names]


def keys_of_inlines(admin: Any) -> Iterator[Any]:
    """Yield the foreign key by which each inline of a form refers to its row."""
    for inline in admin.inlines:
        fields = inline.model._meta.fields
        yield next(field for field in fields if field.related_model is admin.model)


def lacks_vietnamese(admin: Any) -> Q:
    """Return the condition of rows of which a text, or one of an inline, lacks its Vietnamese."""
    tables = [(admin.model, "pk")]
    tables += [(key.model, key.name) for key in keys_of_inlines(admin)]
    lacking = Q(pk__in=[])
    for model, key in tables:
        texts = (~Q(**{one: ""}) & Q(**{other: ""}) for one, other in list_pairs(model))
        rows = model._default_manager.filter(reduce(or_, texts, Q(pk__in=[])))
        lacking |= Q(pk__in=rows.order_by().values(key))
    return lacking


def texts_of(admin: Any, row: Any) -> Data:
    """Return the texts of a row and of its inlines as the form posts them, without the form."""
    found = {name: [str(getattr(row, name))] for pair in list_pairs(type(row)) for name in pair}
    for key in keys_of_inlines(admin):
        part = key.remote_field.get_accessor_name()
        rows = [*getattr(row, part).all()]
        found[f"{part}{ROWS_OF_INLINE}"] = [str(len(rows))]
        for number, each in enumerate(rows):
            names = (name for pair in list_pairs(key.model) for name in pair)
            found |= {f"{part}-{number}-{name}": [str(getattr(each, name))] for name in names}
    return found


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
