"""A freeze reuses unchanged batches of posts, if the build cache is that of its release."""

import json
import shutil
from pathlib import Path
from zlib import crc32

import pytest

from catalogue.models import Post
from site_mirror.documents import sources
from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, MANIFEST, STATE
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import file_damages, processes, sites, target_files
from tests.freeze.file_damages import Damage
from tests.freeze.frozen_copies import CopySite, list_batches

EPOCH = "1767225600"
POST_COUNT, MEAN_POSTS_IN_GROUP = 30, 4
ALL_DAMAGES = pytest.mark.exhaustive("freezes a blog twice for each way to spoil a cache")


@pytest.fixture
def blog(copy_site: CopySite, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target with a release of many small batches of posts."""
    monkeypatch.setattr(sources, "MEAN_ROWS_IN_GROUP", MEAN_POSTS_IN_GROUP)
    monkeypatch.setattr(sources, "MAX_ROWS_IN_GROUP", 8)
    return copy_site(make_blog)


def make_blog() -> None:
    sites.make_site()
    for number in range(POST_COUNT):
        factories.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 20)


def count_reused(site: Path) -> int:
    """Freeze a site and return the number of documents whose earlier check still stands."""
    report = sites.freeze_into(site, sites.LATER)
    return next(verdict.held for verdict in report.gates if verdict.gate == "contract")


def equals_full_freeze(site: Path, folder: Path) -> bool:
    sites.freeze_into(folder, sites.LATER)
    return read_public_files(site) == read_public_files(folder)


def read_public_files(site: Path) -> dict[str, bytes | str]:
    """Return the public files, all with the moment of the later freeze."""
    moments = (sites.MOMENT, sites.LATER)
    stamps = [f"{moment:%Y-%m-%dT%H:%M:%SZ}".encode() for moment in moments]
    return {
        name: body.replace(stamps[0], stamps[1]) if isinstance(body, bytes) else body
        for name, body in target_files.read_tree((site / "current/public").resolve()).items()
        if not name.endswith((".gz", ".br"))
    }


def test_an_edit_builds_its_batch_the_feeds_and_at_most_a_neighbour(
    blog: Path, tmp_path: Path
) -> None:
    before = list_batches(Target(blog).current)
    sites.edit_post("post-15", body_en="Another text.")

    assert count_reused(blog) > 90
    after = list_batches(Target(blog).current)
    assert len(after) == len(before) > 5
    assert len(after - before) in (2, 3)
    assert equals_full_freeze(blog, tmp_path / "full")


def test_a_title_at_the_end_of_a_batch_is_updated_in_the_neighbour_batch(
    blog: Path, tmp_path: Path
) -> None:
    ends = [
        f"post-{number}"
        for number in range(POST_COUNT)
        if not crc32(b"post-%d" % number) % MEAN_POSTS_IN_GROUP
    ]
    for slug in ends:
        sites.edit_post(slug, title_en=f"Another title of {slug}")

    assert count_reused(blog) > 0
    assert len(ends) > 2
    assert equals_full_freeze(blog, tmp_path / "full")


def test_batches_of_another_program_are_not_reused(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_batches(Target(blog).current)
    monkeypatch.setattr("site_mirror.documents.digests.program_digest", lambda: "another")
    sites.edit_post("post-15", body_en="Another text.")

    assert count_reused(blog) == 0
    assert before.isdisjoint(list_batches(Target(blog).current))


def cut_in_half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def change_a_header(file: Path) -> None:
    """Flip one bit that changes neither an address nor the form of the file."""
    file.write_bytes(
        file.read_bytes().replace(b'"RateLimit-Limit":"600"', b'"RateLimit-Limit":"700"', 1)
    )


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (CACHE, file_damages.remove),
        (MANIFEST, cut_in_half),
        (STATE, cut_in_half),
        (STATE, lambda file: file.write_bytes(b'{"report": [], "private": 5}')),
        pytest.param(MANIFEST, change_a_header, marks=ALL_DAMAGES),
        pytest.param(ANCHORS, file_damages.remove, marks=ALL_DAMAGES),
    ],
)
def test_without_a_whole_cache_every_document_is_built(
    name: str, damage: Damage, blog: Path, tmp_path: Path
) -> None:
    damage(Target(blog).current.resolve() / name)
    Post.objects.filter(slug="post-7").update(title_en="Another title")

    assert count_reused(blog) == 0
    assert target_files.list_discrepancies(blog) == []
    sites.edit_post("post-15", title_en="Another title")
    assert count_reused(blog) > 90
    if name == CACHE:
        assert equals_full_freeze(blog, tmp_path / "full")


@pytest.mark.parametrize("damage", [cut_in_half, file_damages.flip_bit])
def test_a_damaged_result_of_a_batch_is_not_used(
    damage: Damage, blog: Path, tmp_path: Path
) -> None:
    for file in (Target(blog).current / BATCHES).iterdir():
        damage(file)
    sites.edit_post("post-7", title_en="Another title")

    sites.freeze_into(blog, sites.LATER)

    assert target_files.list_discrepancies(blog) == []
    assert equals_full_freeze(blog, tmp_path / "full")


def test_a_damaged_cache_is_renewed_by_a_freeze_that_changes_nothing(
    blog: Path, tmp_path: Path
) -> None:
    cut_in_half(Target(blog).current / ANCHORS)

    assert count_reused(blog) == 0
    sites.edit_post("post-15", title_en="Another title")
    assert count_reused(blog) > 90
    assert equals_full_freeze(blog, tmp_path / "full")


def freeze_database(target: Path, database: Path) -> int:
    return processes.freeze(target, database=database, SOURCE_DATE_EPOCH=EPOCH).returncode


@pytest.mark.exhaustive("freezes the shipped content several times by the command")
def test_copies_of_a_database_publish_their_own_edits(
    database: Path, empty_database: Path, target: Path, tmp_path: Path
) -> None:
    same = processes.copy_database(empty_database, tmp_path / "site")
    processes.run_well("-c", processes.LOAD, database=same)
    one, two = (Path(shutil.copy(database, tmp_path / name)) for name in ("one.db", "two.db"))
    for copy in (one, two):
        with processes.open_database(copy) as writer:
            writer.execute("UPDATE catalogue_post SET title_en = title_en || ?", (copy.stem,))

    assert freeze_database(target, same) == processes.UNCHANGED
    for copy in (one, two, one, database):
        assert freeze_database(target, copy) == processes.PUBLISHED
        data = json.loads((target / "current/public/api/v1/posts.json").read_bytes())["data"]
        with processes.open_database(copy) as reader:
            titles = [title for (title,) in reader.execute("SELECT title_en FROM catalogue_post")]
        assert sorted(post["title"]["en"] for post in data) == sorted(titles)
