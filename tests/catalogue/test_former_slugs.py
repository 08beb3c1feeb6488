"""A slug under which readers saw a row leads to it, in one step, or to nothing."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue import questions
from catalogue.models import App, FormerAppSlug, FormerPostSlug, Post, State
from tests import factories
from tests.factories import FUTURE, NOW, PAST

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

LATER = timezone.now().replace(year=2999)
MEMORIES: dict[Any, Any] = {App: (FormerAppSlug, "app_id"), Post: (FormerPostSlug, "post_id")}
MAKE: dict[Any, Callable[..., Any]] = {App: factories.make_app, Post: factories.make_post}
EACH_MODEL = pytest.mark.parametrize("model", MAKE, ids=lambda model: model.__name__)
STEPS: dict[str, dict[str, Any]] = {
    "publish": {"state": State.PUBLISHED},
    "withdraw": {"state": State.DRAFT},
    "review": {"state": State.IN_REVIEW},
    "reschedule": {"publish_at": LATER},
    "appear": {"publish_at": PAST},
}


def take_step(model: Any, step: str, slug: str, other: str = "") -> None:
    """Do one step of an editor, unless a constraint forbids it."""
    row = model.objects.filter(slug=slug)
    if step in ("make", "draft") and not row.exists():
        MAKE[model](slug=slug, state=State.PUBLISHED if step == "make" else State.DRAFT)
    elif step == "rename" and not model.objects.filter(slug=other).exists():
        row.update(slug=other)
    elif step == "delete":
        row.delete()
    elif step in STEPS:
        row.update(**STEPS[step])


def read_former(model: Any) -> dict[str, int]:
    """Return the key of the row to which each former slug leads."""
    memory, owner = MEMORIES[model]
    return dict(memory.objects.values_list("slug", owner))


HISTORIES = {
    "make a, rename a b": "a>b",
    "make a, rename a a": "",
    "draft a, rename a b": "",
    "draft a, review a, rename a b": "",
    "draft a, reschedule a, publish a, rename a b": "",
    "make a, rename a b, rename b c": "a>c b>c",
    "make a, rename a b, rename b a": "b>a",
    "make a, rename a b, make a": "",
    "make a, rename a b, draft a": "a>b",
    "make a, make x, rename a b, rename x a, rename a c": "x>c a>c",
    "make a, make b, rename a m, rename b a, rename m b": "m>b",
    "make a, rename a b, delete b": "",
    "make a, withdraw a, rename a b, publish b": "a>b",
    "make a, withdraw a, publish a": "",
    "make a, reschedule a, rename a b, appear b": "a>b",
}
"""Steps of an editor, and the former slugs that they leave, each with the slug of today."""


@pytest.mark.parametrize("steps", HISTORIES)
@EACH_MODEL
def test_a_history_leaves_former_slugs(model: Any, steps: str) -> None:
    for step in steps.split(", "):
        take_step(model, *step.split())

    keys = dict(model.objects.values_list("slug", "pk"))
    former = (each.split(">") for each in HISTORIES[steps].split())
    assert read_former(model) == {old: keys[new] for old, new in former}


def find_visible(model: Any) -> dict[str, int]:
    return dict(model.objects.published(at=timezone.now()).values_list("slug", "pk"))


SLUGS = st.sampled_from("abcd")
ANY_STEP = st.sampled_from(["make", "draft", "rename", "delete", *STEPS])
ANY_HISTORY = st.lists(st.tuples(ANY_STEP, SLUGS, SLUGS), max_size=25)


@EACH_MODEL
@settings(max_examples=30)
@given(steps=ANY_HISTORY)
def test_every_slug_under_which_readers_saw_a_row_leads_to_it(model: Any, steps: Any) -> None:
    seen: dict[str, int] = {}
    with transaction.atomic():
        for step in steps:
            take_step(model, *step)
            seen |= find_visible(model)
        remembered, current = read_former(model), find_visible(model)
        keys = set(model.objects.values_list("pk", flat=True))
        transaction.set_rollback(True)

    assert remembered == {
        slug: key for slug, key in seen.items() if slug not in current and key in keys
    }
    assert read_former(model) == {}, "a rolled back rename leaves none"


in_vietnamese = partial(questions.former_app_slugs_in, language="vi")
posts_in_vietnamese = partial(questions.former_post_slugs_in, language="vi")
QUESTIONS: list[tuple[Callable[..., Any], Callable[..., Any], bool]] = [
    (questions.former_app_slugs, factories.make_app, True),
    (questions.former_post_slugs, factories.make_post, True),
    (in_vietnamese, factories.make_translated_app, True),
    (posts_in_vietnamese, factories.make_translated_post, True),
    (questions.former_slugs_of_apps_with_icon, factories.make_translated_app, True),
    (in_vietnamese, factories.make_app, False),
    (posts_in_vietnamese, factories.make_post, False),
    (questions.former_slugs_of_apps_with_icon, factories.make_app, False),
]


@pytest.mark.parametrize(("question", "make", "is_answered"), QUESTIONS)
def test_former_slugs_are_answered_while_readers_see_the_page_of_their_row(
    question: Callable[..., Any], make: Callable[..., Any], is_answered: bool
) -> None:
    for slug in ("c", "a", "b"):
        by_slug = type(make(slug=slug)).objects.filter(slug=slug)
        by_slug.update(slug=f"new-{slug}")
    rows = [("a", "new-a"), ("b", "new-b"), ("c", "new-c")]

    def ask(at: Any) -> list[tuple[str, str]]:
        return [(row.slug, row.today) for row in question(at)]

    assert ask(NOW) == (rows if is_answered else [])
    by_slug.model.objects.filter(slug="new-a").update(state=State.DRAFT)
    by_slug.model.objects.filter(slug="new-b").update(publish_at=FUTURE)
    assert ask(NOW) == (rows[2:] if is_answered else [])
    assert ask(FUTURE) == (rows[1:] if is_answered else [])


@EACH_MODEL
def test_a_former_slug_under_which_readers_see_a_row_leads_nowhere(model: Any) -> None:
    memory, owner = MEMORIES[model]
    memory.objects.create(slug="known", **{owner: MAKE[model](slug="known").pk})
    question = {App: questions.former_app_slugs, Post: questions.former_post_slugs}[model]

    assert list(question(timezone.now())) == []
