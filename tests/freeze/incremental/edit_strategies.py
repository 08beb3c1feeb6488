"""Hypothesis strategies: random edits of every model, in runs with a freeze after each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Model
from hypothesis import strategies as st

from catalogue.models import ApiVersion, App, Page, Post, State, Studio, Tag
from catalogue.texts.fields import Line, Prose
from tests.freeze.incremental import corpus
from tests.freeze.incremental.edits import (
    Change,
    Create,
    Delete,
    DeleteAll,
    Edit,
    Relate,
    Swap,
)
from tests.freeze.incremental.field_values import (
    Field,
    list_changeable_fields,
    list_models,
    list_relations,
    list_values,
)

PLACES = st.integers(0, 200)
WORDS = st.text(alphabet="ab Ơé&<>'\"|\n", min_size=1, max_size=8)
"""Random texts for any column of text."""

JOINT_VALUES: list[tuple[type[Model], dict[str, Any]]] = [
    (Post, corpus.TRANSLATION),
    (Post, dict.fromkeys(corpus.TRANSLATION, "")),
    (App, {"tagline_vi": "Nó đo.", "description_vi": "Nó đo."}),
    (App, {"tagline_vi": "", "description_vi": "", "spec_vi": ""}),
    (Page, {"title_vi": "Trang", "body_vi": "Chào."}),
    (Page, {"title_vi": "", "summary_vi": "", "body_vi": ""}),
    (ApiVersion, corpus.RETIRED),
    (ApiVersion, corpus.CURRENT),
]
"""Values that the constraints allow only together: translations, and retirements of versions."""


@dataclass(frozen=True)
class Run:
    """Edits, and the moment of the content that is frozen after them."""

    edits: list[Edit]
    at: datetime


def runs(edit: st.SearchStrategy[Edit]) -> st.SearchStrategy[list[Run]]:
    edits = st.lists(edit, min_size=1, max_size=4)
    run = st.builds(Run, edits, st.sampled_from(corpus.MOMENTS))
    return st.lists(run, min_size=1, max_size=4)


def any_edit() -> st.SearchStrategy[Edit]:
    """Edits of every model with equal probability, of relations, and of joint values."""
    models = list_models()
    related = [model for model in models if list_relations(model)]
    return st.one_of(*map(edits_of, models), joint_edits(), *map(relation_edits, related))


def edits_of_the_blog() -> st.SearchStrategy[Edit]:
    return st.one_of(edits_of(Post), edits_of(Post), relation_edits(Post), edits_of(Tag))


def edits_of(model: type[Model]) -> st.SearchStrategy[Edit]:
    """Edits of a model, most often a change of a field."""
    fields = st.sampled_from([*list_changeable_fields(model)])
    change = fields.flatmap(lambda each: changes(model, each))
    return st.one_of(
        *(change, change, change),
        st.builds(Create, st.just(model), st.integers(0, 3), publication(model)),
        st.builds(Delete, st.just(model), PLACES),
        *swaps(model),
        *deletions_of_all(model),
    )


def relation_edits(model: type[Model]) -> st.SearchStrategy[Edit]:
    """Other related rows."""
    names = st.sampled_from([each.name for each in list_relations(model)])
    return st.builds(Relate, st.just(model), names, PLACES, st.frozensets(PLACES, max_size=3))


def swaps(model: type[Model]) -> Iterator[st.SearchStrategy[Edit]]:
    """Rows in another order."""
    if names := [name for name in ("position", "publish_at", "date") if has_field(model, name)]:
        yield st.builds(Swap, st.just(model), st.sampled_from(names), PLACES, PLACES)


def deletions_of_all(model: type[Model]) -> Iterator[st.SearchStrategy[Edit]]:
    """A deletion of all rows, except of models without which nothing is published."""
    if model not in (ApiVersion, Page, Studio):
        yield st.just(DeleteAll(model))


def joint_edits() -> st.SearchStrategy[Edit]:
    return st.one_of(
        *(
            st.builds(Change, st.just(model), PLACES, st.just(values))
            for model, values in JOINT_VALUES
        )
    )


def changes(model: type[Model], field: Field) -> st.SearchStrategy[Edit]:
    return st.builds(Change, st.just(model), PLACES, new_values(field))


def new_values(field: Field) -> st.SearchStrategy[dict[str, Any]]:
    """A known value of a field, looked up late: values of a relation are keys of rows."""
    known = st.deferred(lambda: st.sampled_from(list_values(field)))
    free = isinstance(field, Line | Prose) and not field.validators[2:]
    return st.fixed_dictionaries({field.attname: st.one_of(known, WORDS) if free else known})


def publication(model: type[Model]) -> st.SearchStrategy[dict[str, Any]]:
    if not has_field(model, "publish_at"):
        return st.just({})
    return st.sampled_from([{}, corpus.SCHEDULED, {"state": State.DRAFT, "publish_at": None}])


def has_field(model: type[Model], name: str) -> bool:
    return name in {field.name for field in model._meta.concrete_fields}
