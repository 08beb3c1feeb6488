"""A freeze uses a build cache only if its files are unchanged."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalogue.addresses import Site
from catalogue.models import Post, Principle
from site_mirror.freeze import up_to_date
from site_mirror.pages import blog_sources
from site_mirror.pages.post_index import post_index
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import ARTICLES
from site_mirror.snapshot import release_state
from site_mirror.snapshot.cache import has_valid_cache, read_cached_batches
from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, CHECKSUMS, ITEMS, MANIFEST, STATE
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import sites, target_files
from tests.freeze.frozen_copies import CopySite

Damage = Callable[[bytes], bytes]
OTHER_VALUES = (None, True, -1, 1.5, "text", [], [1], {}, {"a": 1})
"""A value of each type of JSON."""
FREEZES_TWICE = pytest.mark.exhaustive("freezes a blog twice for each way to spoil a cache")


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


def count_reusable_batches(site: Path) -> int:
    """Return the number of batches of the published release that can be reused."""
    release = Target(site).release
    return len(read_cached_batches(release)) if has_valid_cache(release) else 0


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
    reusable = count_reusable_batches(blog)
    sites.edit_post("post-15", title_en="Another title")

    report = sites.freeze_into(blog, sites.LATER)

    contract = next(verdict for verdict in report.gates if verdict.gate == "contract")
    assert reusable > 3
    assert contract.held > 90
    assert equals_full_freeze(blog, tmp_path / "full")


def test_the_state_of_a_large_release_has_the_metadata_of_folders_only(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_state, "MAX_WATCHED_FILES", 10)
    Principle.objects.update(title_en="Another title")
    sites.freeze_into(blog, sites.LATER)
    release = Target(blog).current.resolve()
    paths = {path for part in ("public", "errors") for path in (release / part).rglob("*")}

    touched = orjson.loads((release / STATE).read_bytes())["touched"].keys()

    folders = {str(path.relative_to(release)) for path in paths if path.is_dir()}
    assert "public/api/v1/posts" in folders
    assert touched == folders | {"public", "errors", *release_state.PRIVATE_FILES}


def cut_in_half(body: bytes) -> bytes:
    return body[: len(body) // 2]


def swap_two_bytes(body: bytes) -> bytes:
    """Exchange two neighbouring bytes that differ."""
    middle = len(body) // 2
    while body[middle] == body[middle + 1]:
        middle += 1
    return (
        body[:middle]
        + body[middle + 1 : middle + 2]
        + body[middle : middle + 1]
        + body[middle + 2 :]
    )


def empty_file(body: bytes) -> bytes:
    return b""


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (BATCHES, cut_in_half),
        (MANIFEST, cut_in_half),
        pytest.param(ITEMS, swap_two_bytes, marks=FREEZES_TWICE),
        pytest.param(ANCHORS, empty_file, marks=FREEZES_TWICE),
        pytest.param(CHECKSUMS, swap_two_bytes, marks=FREEZES_TWICE),
        *(
            pytest.param(name, damage, marks=FREEZES_TWICE)
            for name, damages in {
                BATCHES: (swap_two_bytes, empty_file),
                ITEMS: (cut_in_half, empty_file),
                ANCHORS: (cut_in_half, swap_two_bytes),
                MANIFEST: (swap_two_bytes, empty_file),
                CHECKSUMS: (cut_in_half, empty_file),
            }.items()
            for damage in damages
        ),
    ],
)
def test_a_cache_with_a_damaged_file_is_not_used(
    name: str, damage: Damage, blog: Path, tmp_path: Path
) -> None:
    file = Target(blog).current / name
    file.write_bytes(damage(file.read_bytes()))
    before = count_reusable_batches(blog)
    Post.objects.filter(slug="post-7").update(title_en="Another title")

    sites.freeze_into(blog, sites.LATER)

    assert before == 0
    assert count_reusable_batches(blog) > 3
    assert equals_full_freeze(blog, tmp_path / "full")


@pytest.mark.parametrize(
    "name",
    [
        CACHE,
        *(pytest.param(name, marks=FREEZES_TWICE) for name in (BATCHES, ITEMS, ANCHORS, STATE)),
    ],
)
def test_without_the_cache_or_a_part_of_it_the_next_freeze_only_takes_longer(
    name: str, blog: Path, tmp_path: Path
) -> None:
    part = Target(blog).current.resolve() / name
    shutil.rmtree(part) if part.is_dir() else part.unlink()
    sites.edit_post("post-7", title_en="Another title")

    report = sites.freeze_into(blog, sites.LATER)

    assert report.written < 100
    assert all(verdict.held == 0 for verdict in report.gates)
    assert equals_full_freeze(blog, tmp_path / "full")


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(b"", id="empty", marks=FREEZES_TWICE),
        pytest.param(b'{"files": 1, "metadata": {}}', id="of another kind"),
        pytest.param(b"[]", id="list", marks=FREEZES_TWICE),
        pytest.param(b"{}", id="no members", marks=FREEZES_TWICE),
        pytest.param(b'{"files": {}}', id="no files", marks=FREEZES_TWICE),
        pytest.param(b'"text"', id="text", marks=FREEZES_TWICE),
    ],
)
def test_a_cache_with_an_unknown_state_is_not_used(
    state: bytes, blog: Path, tmp_path: Path
) -> None:
    (Target(blog).current / STATE).write_bytes(state)
    before = count_reusable_batches(blog)
    sites.edit_post("post-7", title_en="Another title")

    sites.freeze_into(blog, sites.LATER)

    assert before == 0
    assert equals_full_freeze(blog, tmp_path / "full")


def mutations(value: object) -> Iterator[object]:
    """Yield a JSON value with each of its parts replaced by values of other types."""
    yield from (other for other in OTHER_VALUES if type(other) is not type(value))
    if isinstance(value, dict):
        for name in value:
            yield from (value | {name: each} for each in mutations(value[name]))
            yield {other: each for other, each in value.items() if other != name}
    if isinstance(value, list):
        for number, item in enumerate(value):
            rest = value[number + 1 :]
            yield from ([*value[:number], each, *rest] for each in mutations(item))


@FREEZES_TWICE
def test_a_state_with_values_of_other_types_ends_no_freeze(small_site: Path) -> None:
    target = Target(small_site)
    file = target.current / STATE
    state = orjson.loads(file.read_bytes())
    few = {name: dict(list(state[name].items())[:2]) for name in ("files", "metadata", "touched")}
    assert up_to_date.unchanged_report(target, timezone.now())
    states = list(mutations(state | few | {"report": dict(state["report"], gates=[])}))

    for each in states:
        file.write_bytes(orjson.dumps(each))
        up_to_date.unchanged_report(target, sites.LATER)
        read_cached_batches(target.release)
        has_valid_cache(target.release)

    assert len(states) > 100
    assert sites.freeze_into(small_site, sites.LATER).outcome is Outcome.UNCHANGED


def test_batches_without_metadata_in_the_state_are_not_reused(blog: Path) -> None:
    file = Target(blog).current / STATE
    state = orjson.loads(file.read_bytes())
    file.write_bytes(orjson.dumps(state | {"metadata": {}}))

    assert count_reusable_batches(blog) == 0


def test_inodes_are_in_the_state_alone(blog: Path, tmp_path: Path) -> None:
    sites.freeze_into(tmp_path / "again")
    first, again = (Target(folder).current for folder in (blog, tmp_path / "again"))

    for name in BATCHES, ITEMS, ANCHORS:
        assert (first / name).read_bytes() == (again / name).read_bytes()
    assert (first / STATE).read_bytes() != (again / STATE).read_bytes()


def test_the_values_of_all_posts_cost_the_same_number_of_queries(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    context = context_at(Site("https://studio.example"), timezone.now())
    for count in (1, 300):
        for number in range(count):
            factories.make_post(slug=f"post-{count}-{number}")
        post_index.cache_clear()
        with django_assert_num_queries(5):
            read = list(ARTICLES.unloaded(context))
        assert sum(len(posts.keys) for posts in read) >= count


def list_three_pages(blog: Path) -> Iterator[Path]:
    yield from sorted(Target(blog).public.glob("blog/post-*.html"))[:3]


@FREEZES_TWICE
def test_an_overwritten_file_of_a_batch_is_written_again(blog: Path, tmp_path: Path) -> None:
    for file in list_three_pages(blog):
        file.unlink()
        file.write_bytes(b"Another program was here.")
    sites.edit_post("post-15", title_en="Another title")

    sites.freeze_into(blog, sites.LATER)

    assert all(file.read_bytes().startswith(b"<!DOCTYPE html>") for file in list_three_pages(blog))
    assert equals_full_freeze(blog, tmp_path / "full")
