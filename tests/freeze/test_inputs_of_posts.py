"""What the documents of a post are told by: all that they show, and nothing else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from catalogue.addresses import Site
from catalogue.models import App, Post, Tag
from site_mirror.batches import pieces
from site_mirror.framing import context_at
from site_mirror.registry import ARTICLES, FAMILIES
from site_mirror.shelf import shelf
from tests import rows

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 1, tzinfo=UTC)
GROUP = [family for family in FAMILIES if family.source == ARTICLES]
JSON = "/api/v1/posts/middle"
PAGES = {"/blog/middle", "/blog/middle.md", "/vi/blog/middle", "/vi/blog/middle.md"}


@pytest.fixture
def blog(db: None) -> None:
    make_blog()


def make_blog() -> None:
    """Three posts in both languages, the middle one with an app and two tags."""
    for age, slug in enumerate(("newer", "middle", "older")):
        said = {"title_vi": "Bài", "excerpt_vi": "Ngắn.", "body_vi": "Dài."}
        rows.make_post(slug=slug, publish_at=AT - timedelta(days=age), **said)
    post = Post.objects.get(slug="middle")
    post.app = rows.make_app(slug="shown")
    post.save()
    post.tags.add(*(Tag.objects.create(slug=slug, name_en=slug) for slug in ("sound", "sleep")))


def told() -> dict[str, str]:
    """Digests of what documents are made of, by their addresses."""
    shelf.cache_clear()
    context = context_at(Site("https://studio.example"), AT)
    packs = ARTICLES.packs(context)
    return {piece.address: piece.inputs for pack in packs for piece in pieces(GROUP, pack, "")}


def changed(was: dict[str, str]) -> set[str]:
    now = told()
    assert now.keys() == was.keys()
    return {address for address, digest in now.items() if digest != was[address]}


def of_the_middle(addresses: set[str]) -> set[str]:
    return {address for address in addresses if "/middle" in address}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title_en", "Another"),
        ("title_vi", "Khác"),
        ("excerpt_en", "Another."),
        ("excerpt_vi", "Khác."),
        ("body_en", "Another."),
        ("body_vi", "Khác."),
        ("publish_at", AT - timedelta(days=1, hours=1)),
    ],
)
def test_whatever_a_post_says_is_in_all_its_documents(blog: None, field: str, value: Any) -> None:
    was = told()

    Post.objects.filter(slug="middle").update(**{field: value})

    assert of_the_middle(changed(was)) == PAGES | {JSON}


def test_a_tag_is_in_all_documents_of_its_posts(blog: None) -> None:
    was = told()

    Tag.objects.filter(slug="sound").update(name_vi="Âm thanh")

    assert changed(was) == PAGES | {JSON}


def test_a_tag_less_is_in_all_documents_of_its_post(blog: None) -> None:
    was = told()

    Post.objects.get(slug="middle").tags.remove(Tag.objects.get(slug="sleep"))

    assert changed(was) == PAGES | {JSON}


def rename_the_app() -> None:
    App.objects.filter(slug="shown").update(name="Another")


def leave_the_app() -> None:
    Post.objects.filter(slug="middle").update(app=None)


def rename(slug: str) -> Callable[[], None]:
    return lambda: Post.objects.filter(slug=slug).update(title_en="A", title_vi="A") and None


@pytest.mark.parametrize("edit", [rename_the_app, leave_the_app, rename("newer"), rename("older")])
def test_what_stands_beside_a_post_is_in_its_pages_alone(
    blog: None, edit: Callable[[], None]
) -> None:
    was = told()

    edit()

    assert of_the_middle(changed(was)) == PAGES


def test_databases_that_say_the_same_tell_it_by_the_same_whatever_their_keys(blog: None) -> None:
    was, keys = told(), set(Post.objects.values_list("pk", flat=True))
    for model in (Post, App, Tag):
        model._base_manager.all().delete()
    rows.make_post(slug="between", publish_at=AT)
    rows.make_app(slug="other", position=90)
    Tag.objects.create(slug="other", name_en="other")

    make_blog()

    Post.objects.filter(slug="between").delete()
    assert keys.isdisjoint(Post.objects.values_list("pk", flat=True))
    assert changed(was) == set()
