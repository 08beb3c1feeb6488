"""A freeze uses a build cache only if its files are unchanged."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.pages import blog_sources
from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, MANIFEST, STATE
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests import factories
from tests.freeze import sites, target_files
from tests.freeze.frozen_copies import CopySite

Damage = Callable[[Path], object]
ALL_DAMAGES = pytest.mark.exhaustive("freezes a blog twice for each way to spoil a cache")


@pytest.fixture
def blog(copy_site: CopySite, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target with a release of many small batches of posts."""
    monkeypatch.setattr(blog_sources, "MEAN_POSTS_IN_GROUP", 4)
    monkeypatch.setattr(blog_sources, "MAX_POSTS_IN_GROUP", 8)
    return copy_site(freeze_blog)


def freeze_blog(target: Path) -> None:
    sites.make_site()
    for number in range(30):
        factories.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 20)
    sites.freeze_into(target)


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
        for name, body in target_files.read_tree(Target(site).public.resolve()).items()
        if not name.endswith((".gz", ".br"))
    }


def test_an_edit_reuses_all_batches_but_its_own(blog: Path, tmp_path: Path) -> None:
    sites.edit_post("post-15", title_en="Another title")

    assert count_reused(blog) > 90
    assert equals_full_freeze(blog, tmp_path / "full")


def cut_in_half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def swap_two_bytes(file: Path) -> None:
    """Exchange two neighbouring bytes that differ."""
    body = bytearray(file.read_bytes())
    middle = len(body) // 2
    while body[middle] == body[middle + 1]:
        middle += 1
    body[middle : middle + 2] = body[middle + 1], body[middle]
    file.write_bytes(body)


def remove(file: Path) -> None:
    shutil.rmtree(file) if file.is_dir() else file.unlink()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (CACHE, remove),
        (MANIFEST, cut_in_half),
        (STATE, cut_in_half),
        (STATE, lambda file: file.write_bytes(b'{"report": [], "private": 5}')),
        pytest.param(STATE, remove, marks=ALL_DAMAGES),
        pytest.param(MANIFEST, swap_two_bytes, marks=ALL_DAMAGES),
        pytest.param(ANCHORS, cut_in_half, marks=ALL_DAMAGES),
        pytest.param(ANCHORS, remove, marks=ALL_DAMAGES),
    ],
)
def test_without_a_whole_cache_every_document_is_built(
    name: str, damage: Damage, blog: Path, tmp_path: Path
) -> None:
    damage(Target(blog).current.resolve() / name)
    Post.objects.filter(slug="post-7").update(title_en="Another title")

    assert count_reused(blog) == 0
    assert equals_full_freeze(blog, tmp_path / "full")
    sites.edit_post("post-15", title_en="Another title")
    assert count_reused(blog) > 90


@pytest.mark.parametrize("damage", [cut_in_half, swap_two_bytes])
def test_a_damaged_result_of_a_batch_is_not_used(
    damage: Damage, blog: Path, tmp_path: Path
) -> None:
    for file in (Target(blog).current / BATCHES).iterdir():
        damage(file)
    sites.edit_post("post-7", title_en="Another title")

    sites.freeze_into(blog, sites.LATER)

    assert [*find_discrepancies(find_files_to_verify(blog))] == []
    assert equals_full_freeze(blog, tmp_path / "full")


def test_a_damaged_cache_is_renewed_by_a_freeze_that_changes_nothing(
    blog: Path, tmp_path: Path
) -> None:
    cut_in_half(Target(blog).current / ANCHORS)

    assert count_reused(blog) == 0
    sites.edit_post("post-15", title_en="Another title")
    assert count_reused(blog) > 90
    assert equals_full_freeze(blog, tmp_path / "full")


def test_only_the_state_and_the_batches_depend_on_inodes(blog: Path, tmp_path: Path) -> None:
    sites.freeze_into(tmp_path / "again")
    first, again = (Target(folder).current for folder in (blog, tmp_path / "again"))

    assert (first / ANCHORS).read_bytes() == (again / ANCHORS).read_bytes()
    assert (first / STATE).read_bytes() != (again / STATE).read_bytes()
