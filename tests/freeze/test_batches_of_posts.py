"""Batches of unchanged posts are reused, whichever database the posts are read from."""

import json
import shutil
from pathlib import Path
from zlib import crc32

import pytest

from catalogue.models import Post
from site_mirror.pages.blog_sources import MEAN_POSTS_IN_GROUP
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import processes, sites, target_files
from tests.freeze.frozen_copies import CopySite, list_batches

EPOCH = "1767225600"
POST_COUNT = 300


@pytest.fixture
def blog(copy_site: CopySite) -> Path:
    """A target with a release of several batches of posts."""
    return copy_site(freeze_blog)


def freeze_blog(target: Path) -> None:
    sites.make_site()
    for number in range(POST_COUNT):
        factories.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 20)
    sites.freeze_into(target)


def read_article(site: Path, slug: str) -> str:
    return (Target(site).public / f"blog/{slug}.html").read_text()


def test_an_edit_builds_its_own_batch_and_no_other(blog: Path) -> None:
    before = list_batches(Target(blog).current)
    sites.edit_post("post-150", body_en="Another text.")

    sites.freeze_into(blog, sites.LATER)

    after = list_batches(Target(blog).current)
    assert len(after) == len(before) > 1
    assert len(after - before) == 1
    assert "Another text." in read_article(blog, "post-150")


def test_a_title_at_the_end_of_a_batch_is_updated_in_the_neighbour_batch(blog: Path) -> None:
    ends = [
        f"post-{number}"
        for number in range(POST_COUNT)
        if not crc32(b"post-%d" % number) % MEAN_POSTS_IN_GROUP
    ]
    for slug in ends:
        sites.edit_post(slug, title_en=f"Another title of {slug}")

    sites.freeze_into(blog, sites.LATER)

    assert len(ends) > 2
    for slug in ends:
        listed = [*Post.objects.newest_first().values_list("slug", flat=True)]
        place = listed.index(slug)
        for beside in (listed[place - 1], listed[place + 1]):
            assert f"Another title of {slug}" in read_article(blog, beside)


def test_batches_of_another_program_are_not_reused(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_batches(Target(blog).current)
    monkeypatch.setattr("site_mirror.documents.digests.program_digest", lambda: "another")
    sites.edit_post("post-150", body_en="Another text.")

    sites.freeze_into(blog, sites.LATER)

    assert len(before) > 1
    assert before.isdisjoint(list_batches(Target(blog).current))


def freeze_database(target: Path, database: Path) -> int:
    return processes.freeze(target, database=database, SOURCE_DATE_EPOCH=EPOCH).returncode


@pytest.mark.exhaustive("freezes the shipped content several times by the command")
def test_two_copies_of_a_database_publish_their_own_edits(
    database: Path, target: Path, tmp_path: Path
) -> None:
    one, two = (Path(shutil.copy(database, tmp_path / name)) for name in ("one.db", "two.db"))
    for copy in (one, two):
        with processes.open_database(copy) as writer:
            writer.execute("UPDATE catalogue_post SET title_en = title_en || ?", (copy.stem,))

    for copy in (one, two, one):
        assert freeze_database(target, copy) == processes.PUBLISHED
        assert f"{copy.stem}</" in (Target(target).public / "blog.html").read_text()
        assert read_published_titles(target) == read_titles(copy)


def read_published_titles(target: Path) -> list[str]:
    data = json.loads((Target(target).public / "api/v1/posts.json").read_bytes())["data"]
    return sorted(post["title"]["en"] for post in data)


def read_titles(database: Path) -> list[str]:
    with processes.open_database(database) as reader:
        return sorted(title for (title,) in reader.execute("SELECT title_en FROM catalogue_post"))


@pytest.mark.exhaustive("freezes the shipped content several times by the command")
def test_a_restored_copy_of_a_database_publishes_its_content(
    database: Path, target: Path, tmp_path: Path
) -> None:
    saved = Path(shutil.copy(database, tmp_path / "saved.db"))
    first = target_files.read_published(target)[1]["public/blog.html"]
    with processes.open_database(database) as writer:
        writer.execute("UPDATE catalogue_post SET title_en = title_en || ' (new)'")
    assert freeze_database(target, database) == processes.PUBLISHED
    edited = target_files.read_published(target)[1]["public/blog.html"]

    assert freeze_database(target, saved) == processes.PUBLISHED

    assert target_files.read_published(target)[1]["public/blog.html"] == first != edited


@pytest.mark.exhaustive("freezes the shipped content several times by the command")
def test_the_same_content_in_another_database_changes_nothing(
    empty_database: Path, target: Path, tmp_path: Path
) -> None:
    other = processes.copy_database(empty_database, tmp_path)
    processes.fill_database(other, shipped=True)

    assert freeze_database(target, other) == processes.UNCHANGED
