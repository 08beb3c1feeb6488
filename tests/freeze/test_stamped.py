"""What stamps stand for is what is published, whichever database a freeze reads."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.db import connection

from catalogue import questions, stamps
from catalogue.models import Post
from site_mirror import repeating
from site_mirror.pages.blog_sources import ENDS
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import makers, processes

EPOCH = "1767225600"
MANY = 300


@pytest.fixture
def blog(db: None, tmp_path: Path) -> Path:
    """A target with a release of several packs of posts."""
    makers.make_site()
    for number in range(MANY):
        rows.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 20)
    makers.freeze_into(tmp_path / "site")
    return tmp_path / "site"


def body_of(site: Path, slug: str) -> str:
    return (Target(site).public / f"blog/{slug}.html").read_text()


def test_an_edit_reads_the_values_of_its_own_pack(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Sequence[int]] = []
    values_of = questions.post_values_of

    def noted(keys: Sequence[int]) -> list[tuple[Any, ...]]:
        read.append(keys)
        return values_of(keys)

    monkeypatch.setattr(questions, "post_values_of", noted)
    monkeypatch.setattr(questions, "post_values", lambda at: 1 / 0)
    makers.edit("post-150", body_en="Another text.")

    makers.freeze_into(blog, makers.LATER)

    (pack,) = read
    assert Post.objects.get(slug="post-150").pk in pack
    assert len(pack) < MANY
    assert "Another text." in body_of(blog, "post-150")


def test_titles_at_the_limits_of_packs_are_shown_beyond_them(blog: Path) -> None:
    ends = [f"post-{number}" for number in range(MANY) if not crc32(b"post-%d" % number) % ENDS]
    for slug in ends:
        makers.edit(slug, title_en=f"Another title of {slug}")

    makers.freeze_into(blog, makers.LATER)

    assert len(ends) > 2
    for slug in ends:
        listed = [*Post.objects.newest_first().values_list("slug", flat=True)]
        place = listed.index(slug)
        for beside in (listed[place - 1], listed[place + 1]):
            assert f"Another title of {slug}" in body_of(blog, beside)


def test_a_post_without_a_stamp_is_read(blog: Path) -> None:
    post = Post.objects.get(slug="post-150")
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {stamps.TABLE}")  # noqa: S608
    Post.objects.filter(pk=post.pk).update(body_en="Another text.")
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {stamps.TABLE}")  # noqa: S608

    makers.freeze_into(blog, makers.LATER)

    assert "Another text." in body_of(blog, "post-150")


def test_stamps_that_were_drawn_anew_change_nothing(blog: Path) -> None:
    Post.objects.update(app_id=None)

    assert makers.freeze_into(blog, makers.LATER).outcome == "unchanged"


def test_what_was_known_of_another_program_is_not_used(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = repeating.digests(Target(blog))
    monkeypatch.setattr("site_mirror.inputs.program", lambda: "another")
    makers.edit("post-150", body_en="Another text.")

    makers.freeze_into(blog, makers.LATER)

    assert len(known) > 1
    assert known.keys().isdisjoint(repeating.digests(Target(blog)))


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"digests": 1}', '{"digests": {'])
def test_a_release_that_tells_no_digests_is_followed_all_the_same(blog: Path, damage: str) -> None:
    (Target(blog).current / "made.json").write_text(damage)
    makers.edit("post-150", body_en="Another text.")

    makers.freeze_into(blog, makers.LATER)

    assert "Another text." in body_of(blog, "post-150")
    assert repeating.digests(Target(blog))


def frozen(target: Path, database: Path) -> int:
    return processes.freeze(target, database=database, SOURCE_DATE_EPOCH=EPOCH).returncode


def test_two_copies_that_went_their_own_ways_publish_their_own_texts(
    database: Path, target: Path, tmp_path: Path
) -> None:
    one, two = (Path(shutil.copy(database, tmp_path / name)) for name in ("one.db", "two.db"))
    for copy in (one, two):
        with processes.edited(copy) as writer:
            writer.execute("UPDATE catalogue_post SET title_en = title_en || ?", (copy.stem,))

    for copy in (one, two, one):
        assert frozen(target, copy) == processes.PUBLISHED
        assert f"{copy.stem}</" in (Target(target).public / "blog.html").read_text()
        assert posts(target) == posts_in(copy)


def posts(target: Path) -> list[str]:
    data = json.loads((Target(target).public / "api/v1/posts.json").read_bytes())["data"]
    return sorted(post["title"]["en"] for post in data)


def posts_in(database: Path) -> list[str]:
    with processes.edited(database) as reader:
        return sorted(title for (title,) in reader.execute("SELECT title_en FROM catalogue_post"))


def test_a_database_that_was_brought_back_publishes_what_it_had(
    database: Path, target: Path, tmp_path: Path
) -> None:
    saved = Path(shutil.copy(database, tmp_path / "saved.db"))
    first = makers.published(target)[1]["public/blog.html"]
    with processes.edited(database) as writer:
        writer.execute("UPDATE catalogue_post SET title_en = title_en || ' (new)'")
    assert frozen(target, database) == processes.PUBLISHED
    edited = makers.published(target)[1]["public/blog.html"]

    assert frozen(target, saved) == processes.PUBLISHED

    assert makers.published(target)[1]["public/blog.html"] == first != edited


def test_the_same_content_in_another_database_is_taken_over(
    empty_database: Path, target: Path, tmp_path: Path
) -> None:
    other = processes.copied(empty_database, tmp_path)
    processes.fill(other, shipped=True)

    assert frozen(target, other) == processes.UNCHANGED
