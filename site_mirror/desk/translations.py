"""Whether the Vietnamese texts of a row still say what the English ones say."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Model, Q, QuerySet

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data
from site_mirror.desk.models import OlderText
from site_mirror.desk.parts import rows_of, side_of, split_parts


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


def pairs_of(data: Data) -> dict[str, tuple[str, str]]:
    """Return the English and the Vietnamese of each text, those of inlines by the key of their row.

    The data are those of a saved row, as the history keeps them.
    """
    rows: dict[str, Data] = {"": {name: data[name] for name in data if "-" not in name}}
    for part, inputs in split_parts(data).items():
        rows |= {f"{part}-{row['id'][0]}-": row for row in rows_of(inputs)}
    return {
        f"{place}{name}": ("".join(row[name]), "".join(row[other]))
        for place, row in rows.items()
        for name in row
        if name.endswith(f"_{ENGLISH}")
        and (other := f"{name.removesuffix(ENGLISH)}{VIETNAMESE}") in row
    }


def older_texts_of(row: Model) -> QuerySet[OlderText]:
    return OlderText.objects.filter(kind=str(row._meta.model_name), row=row.pk)


def note_change(row: Model, before: Data, after: Data, *, is_small: bool = False) -> None:
    """Remember the English of then of each Vietnamese text that has not changed with it.

    A text that has changed is made from the English of now. After a small correction of the
    English, what was right stays right. A row of an inline may come back with another key.
    """
    was, now, older = pairs_of(before), pairs_of(after), older_texts_of(row)
    known = dict(older.values_list("text", "english"))
    gone = {vietnamese: text for text, (_, vietnamese) in was.items() if text not in now}
    found = {}
    for text, (english, vietnamese) in now.items():
        place = text if text in was else gone.get(vietnamese, text)
        then, same = was.get(place, (english, ""))
        then = known.get(place, english if is_small else then)
        if vietnamese and vietnamese == same and english != then:
            found[text] = then
    if found != known:
        older.delete()
        kind = str(row._meta.model_name)
        OlderText.objects.bulk_create(
            OlderText(kind=kind, row=row.pk, text=text, english=english)
            for text, english in found.items()
        )
