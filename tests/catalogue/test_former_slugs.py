"""A slug under which readers saw a row leads to it in one step, or is retired with it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue import questions
from catalogue.models import App, FormerAppSlug, FormerPostSlug, FormerTagSlug, Post, State, Tag
from tests import factories
from tests.factories import NOW, PAST

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

LATER = timezone.now().replace(year=2999)
MEMORIES: dict[Any, Any] = {App: FormerAppSlug, Post: FormerPostSlug, Tag: FormerTagSlug}


def make_tag(slug: str, **of_post: Any) -> Tag:
    """Create a tag with a post, whose state is that of the tag."""
    tag = factories.make_tag(slug=slug)
    factories.make_translated_post(slug=f"of-tag-{tag.pk}", **of_post).tags.add(tag)
    return tag


MAKE: dict[Any, Callable[..., Any]] = {
    App: factories.make_app,
    Post: factories.make_post,
    Tag: make_tag,
}
EACH_MODEL = pytest.mark.parametrize("model", MAKE, ids=lambda model: model.__name__)
STEPS: dict[str, dict[str, Any]] = {
    "publish": {"state": State.PUBLISHED},
    "withdraw": {"state": State.DRAFT},
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
        with_state = Post.objects.filter(tags__slug=slug) if model is Tag else row
        with_state.update(**STEPS[step])


def read_former(model: Any) -> dict[str, int | None]:
    """Return the key of the row to which each former slug leads; `None` for a retired one."""
    shown = find_visible(model)
    memory = MEMORIES[model].objects.values_list("slug", "owner")
    return {slug: key for slug, key in memory if slug not in shown}


HISTORIES = (
    "make a, rename a b",
    "make a, rename a a",
    "draft a, rename a b",
    "draft a, reschedule a, publish a, rename a b",
    "make a, rename a b, rename b c",
    "make a, rename a b, rename b a",
    "make a, rename a b, make a",
    "make a, rename a b, draft a",
    "make a, make x, rename a b, rename x a, rename a c",
    "make a, make b, rename a m, rename b a, rename m b",
    "make a, delete a",
    "make a, rename a b, delete b",
    "make a, withdraw a, delete a",
    "make a, reschedule a, delete a",
    "make a, delete a, draft a, delete a",
    "make a, delete a, make a",
    "make a, rename a b, make a, delete a",
    "draft a, delete a",
    "make a, withdraw a, rename a b, publish b",
    "make a, withdraw a, publish a",
    "make a, reschedule a, rename a b, appear b",
)
"""Steps of an editor that are always tried."""


def find_visible(model: Any) -> dict[str, int]:
    return dict(model.objects.published(at=timezone.now()).values_list("slug", "pk"))


SLUGS = st.sampled_from("abcd")
ANY_STEP = st.sampled_from(["make", "draft", "rename", "delete", *STEPS])
ANY_HISTORY = st.lists(st.tuples(ANY_STEP, SLUGS, SLUGS), max_size=25)


def with_histories(test: Any) -> Any:
    for history in HISTORIES:
        test = example(steps=[step.split() for step in history.split(", ")])(test)
    return test


@EACH_MODEL
@settings(max_examples=30)
@with_histories
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
        slug: key if key in keys else None for slug, key in seen.items() if slug not in current
    }
    assert read_former(model) == {}, "a rolled back rename leaves none"


@EACH_MODEL
def test_a_former_slug_under_which_readers_see_a_row_leads_nowhere(model: Any) -> None:
    MEMORIES[model].objects.create(slug="known", owner=MAKE[model](slug="known"))
    shown = model.objects.published

    assert list(questions.former_slugs(NOW, of=shown(at=NOW))) == []


def test_a_tag_is_remembered_when_a_post_loses_it_or_is_deleted() -> None:
    """It has no state: readers no longer see it, and it may be renamed then."""
    lost, of_deleted = make_tag("lost"), make_tag("of-deleted")
    Post.objects.get(tags=lost).tags.clear()
    Post.objects.get(tags=of_deleted).delete()
    Tag.objects.filter(pk=lost.pk).update(slug="renamed")

    assert read_former(Tag) == {"lost": lost.pk, "of-deleted": of_deleted.pk}


@pytest.mark.parametrize("published", [True, False], ids=["published", "drafted before"])
def test_rows_that_are_deleted_together_are_all_retired(published: bool) -> None:
    for slug in "ab":
        make_tag(f"tag-{slug}")
        factories.make_app(slug=slug)
    if not published:
        Post.objects.update(state=State.DRAFT)
        App.objects.update(state=State.DRAFT)
    posts = [*Post.objects.values_list("slug", flat=True)]
    for model in (Tag, Post, App):
        model.objects.all().delete()

    assert read_former(Tag) == {"tag-a": None, "tag-b": None}
    assert read_former(Post) == dict.fromkeys(posts)
    assert read_former(App) == {"a": None, "b": None}
