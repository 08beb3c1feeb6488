"""The digests of a post's documents cover everything that the documents show, and nothing else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from catalogue.addresses import Site
from catalogue.models import App, Post, Tag
from site_mirror.documents.built import Built
from site_mirror.freeze.batches import SiteBatch
from site_mirror.pages.post_index import post_index
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import ARTICLES, FAMILIES
from tests import factories

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 1, tzinfo=UTC)
ARTICLE_FAMILIES = [family for family in FAMILIES if family.source == ARTICLES]
JSON = "/api/v1/posts/middle"
PAGES = {"/blog/middle", "/blog/middle.md", "/vi/blog/middle", "/vi/blog/middle.md"}


@pytest.fixture
def blog(db: None) -> None:
    make_blog()


def make_blog() -> None:
    """Create three translated posts, the middle one with an app and two tags."""
    for age, slug in enumerate(("newer", "middle", "older")):
        said = {"title_vi": "Bài", "excerpt_vi": "Ngắn.", "body_vi": "Dài."}
        factories.make_post(slug=slug, publish_at=AT - timedelta(days=age), **said)
    post = Post.objects.get(slug="middle")
    post.app = factories.make_app(slug="shown")
    post.save()
    post.tags.add(*(Tag.objects.create(slug=slug, name_en=slug) for slug in ("sound", "sleep")))


def read_digests() -> dict[str, str]:
    """Return the digest of each document by its address."""
    post_index.cache_clear()
    context = context_at(Site("https://studio.example"), AT)
    names, nothing = [family.name for family in ARTICLE_FAMILIES], Built(Path(), Path(), {}, {})
    batches = [
        SiteBatch(context, names, "", unloaded=unloaded).load()
        for unloaded in ARTICLES.unloaded(context)
    ]
    return {
        document.address: document.digest for batch in batches for document in batch.plan(nothing)
    }


def find_changed(was: dict[str, str]) -> set[str]:
    now = read_digests()
    assert now.keys() == was.keys()
    return {address for address, digest in now.items() if digest != was[address]}


def select_middle_post(addresses: set[str]) -> set[str]:
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
def test_every_field_of_a_post_is_in_the_digests_of_its_documents(
    blog: None, field: str, value: Any
) -> None:
    was = read_digests()

    Post.objects.filter(slug="middle").update(**{field: value})

    assert select_middle_post(find_changed(was)) == PAGES | {JSON}


def test_a_tag_is_in_the_digests_of_its_posts(blog: None) -> None:
    was = read_digests()

    Tag.objects.filter(slug="sound").update(name_vi="Âm thanh")

    assert find_changed(was) == PAGES | {JSON}


def test_a_removed_tag_changes_the_digests_of_its_post(blog: None) -> None:
    was = read_digests()

    Post.objects.get(slug="middle").tags.remove(Tag.objects.get(slug="sleep"))

    assert find_changed(was) == PAGES | {JSON}


def rename_app() -> None:
    App.objects.filter(slug="shown").update(name="Another")


def remove_app_of_post() -> None:
    Post.objects.filter(slug="middle").update(app=None)


def rename_post(slug: str) -> Callable[[], None]:
    return lambda: Post.objects.filter(slug=slug).update(title_en="A", title_vi="A") and None


@pytest.mark.parametrize(
    "edit", [rename_app, remove_app_of_post, rename_post("newer"), rename_post("older")]
)
def test_neighbours_and_app_of_a_post_are_in_the_digests_of_its_pages_only(
    blog: None, edit: Callable[[], None]
) -> None:
    was = read_digests()

    edit()

    assert select_middle_post(find_changed(was)) == PAGES


def test_digests_do_not_depend_on_primary_keys(blog: None) -> None:
    was, keys = read_digests(), set(Post.objects.values_list("pk", flat=True))
    for model in (Post, App, Tag):
        model._base_manager.all().delete()
    factories.make_post(slug="between", publish_at=AT)
    factories.make_app(slug="other", position=90)
    Tag.objects.create(slug="other", name_en="other")

    make_blog()

    Post.objects.filter(slug="between").delete()
    assert keys.isdisjoint(Post.objects.values_list("pk", flat=True))
    assert find_changed(was) == set()
