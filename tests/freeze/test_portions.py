"""What a release remembers of its portions is used only as it was written."""

from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalogue.addresses import Site
from catalogue.models import Post, Principle
from site_mirror import batches, repeating
from site_mirror.framing import context_at
from site_mirror.registry import ARTICLES
from site_mirror.shelf import shelf
from site_mirror.snapshot.layout import CHECKSUMS, ENTRIES, MADE, MANIFEST, PORTIONS, SEAL
from site_mirror.snapshot.portions import earlier
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import makers

Damage = Callable[[bytes], bytes]


@pytest.fixture
def blog(db: None, tmp_path: Path) -> Path:
    """A target with a release of several portions."""
    makers.make_site()
    for number in range(300):
        rows.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 20)
    makers.freeze_into(tmp_path / "site")
    return tmp_path / "site"


def known(site: Path) -> int:
    """How many portions of the published release can be taken over."""
    manifest = Target(site).manifest()
    with earlier(Target(site).release, manifest and manifest.documents.profiles) as found:
        return len(found.portions)


def same_as_full(site: Path, folder: Path) -> bool:
    makers.freeze_into(folder, makers.LATER)
    return public(site) == public(folder)


def public(site: Path) -> dict[str, bytes | str]:
    """Bytes without the moment of their making."""
    moments = (makers.MOMENT, makers.LATER)
    stamps = [f"{moment:%Y-%m-%dT%H:%M:%SZ}".encode() for moment in moments]
    return {
        name: body.replace(stamps[0], stamps[1]) if isinstance(body, bytes) else body
        for name, body in makers.tree(Target(site).public.resolve()).items()
        if not name.endswith((".gz", ".br"))
    }


def test_an_edit_takes_over_all_portions_but_its_own(blog: Path, tmp_path: Path) -> None:
    portions = known(blog)
    makers.edit("post-150", title_en="Another title")

    report = makers.freeze_into(blog, makers.LATER)

    contract = next(verdict for verdict in report.gates if verdict.gate == "contract")
    assert portions > 3
    assert contract.held > 900
    assert same_as_full(blog, tmp_path / "full")


def test_folders_of_what_is_taken_over_are_looked_at_in_a_large_release(
    blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeating, "MANY", 10)
    Principle.objects.update(title_en="Another title")
    makers.freeze_into(blog, makers.LATER)
    release = Target(blog).current.resolve()
    there = {path for part in ("public", "errors") for path in (release / part).rglob("*")}

    traced = orjson.loads((release / MADE).read_bytes())["traces"].keys()

    folders = {str(path.relative_to(release)) for path in there if path.is_dir()}
    assert "public/api/v1/posts" in folders
    assert traced == folders | {"public", "errors", *repeating.PRIVATE}


def cut(body: bytes) -> bytes:
    return body[: len(body) // 2]


def swapped(body: bytes) -> bytes:
    """Two letters in the middle have changed places."""
    middle = len(body) // 2
    while body[middle] == body[middle + 1]:
        middle += 1
    return (
        body[:middle]
        + body[middle + 1 : middle + 2]
        + body[middle : middle + 1]
        + body[middle + 2 :]
    )


def emptied(body: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut, swapped, emptied])
@pytest.mark.parametrize("name", [PORTIONS, ENTRIES, MANIFEST, CHECKSUMS])
def test_of_a_file_that_is_not_as_it_was_written_nothing_is_taken_over(
    name: str, damage: Damage, blog: Path, tmp_path: Path
) -> None:
    file = Target(blog).current / name
    file.write_bytes(damage(file.read_bytes()))
    before = known(blog)
    Post.objects.filter(slug="post-7").update(title_en="Another title")

    makers.freeze_into(blog, makers.LATER)

    assert before == 0
    assert known(blog) > 3
    assert same_as_full(blog, tmp_path / "full")


@pytest.mark.parametrize("name", [PORTIONS, ENTRIES, SEAL])
def test_a_release_without_a_memory_is_followed_all_the_same(
    name: str, blog: Path, tmp_path: Path
) -> None:
    (Target(blog).current / name).unlink()
    makers.edit("post-7", title_en="Another title")

    makers.freeze_into(blog, makers.LATER)

    assert same_as_full(blog, tmp_path / "full")


@pytest.mark.parametrize(
    "seal",
    [b"", b"[]", b"{}", b'{"files": {}}', b'{"manifest.jsonl": [1, 2, 3, 4]}'],
    ids=["empty", "list", "no members", "no records", "of an earlier program"],
)
def test_portions_under_an_unknown_seal_are_not_taken_over(
    seal: bytes, blog: Path, tmp_path: Path
) -> None:
    (Target(blog).current / SEAL).write_bytes(seal)
    before = known(blog)
    makers.edit("post-7", title_en="Another title")

    makers.freeze_into(blog, makers.LATER)

    assert before == 0
    assert same_as_full(blog, tmp_path / "full")


def test_files_whose_records_are_missing_from_the_seal_are_not_trusted(blog: Path) -> None:
    file = Target(blog).current / SEAL
    kept = orjson.loads(file.read_bytes())
    file.write_bytes(orjson.dumps(kept | {"seen": {}}))

    assert known(blog) == 0


def test_inodes_are_told_in_the_seal_alone(blog: Path, tmp_path: Path) -> None:
    makers.freeze_into(tmp_path / "again")
    first, again = (Target(folder).current for folder in (blog, tmp_path / "again"))

    for name in PORTIONS, ENTRIES:
        assert (first / name).read_bytes() == (again / name).read_bytes()
    assert (first / SEAL).read_bytes() != (again / SEAL).read_bytes()


def test_reading_every_post_costs_the_same_number_of_queries(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    context = context_at(Site("https://studio.example"), timezone.now())
    for count in (1, 300):
        for number in range(count):
            rows.make_post(slug=f"post-{count}-{number}")
        shelf.cache_clear()
        with django_assert_num_queries(6):
            read = [article for pack in ARTICLES.packs(context) for article in pack]
        assert len(read) >= count


def touched(blog: Path) -> Iterator[Path]:
    yield from sorted(Target(blog).public.glob("blog/post-*.html"))[:3]


def test_a_file_of_a_portion_that_was_written_over_is_made_afresh(
    blog: Path, tmp_path: Path
) -> None:
    for file in touched(blog):
        file.unlink()
        file.write_bytes(b"Somebody was here.")
    makers.edit("post-150", title_en="Another title")

    makers.freeze_into(blog, makers.LATER)

    assert all(file.read_bytes().startswith(b"<!DOCTYPE html>") for file in touched(blog))
    assert same_as_full(blog, tmp_path / "full")


def test_what_is_made_alone_is_taken_over_once_the_crew_has_left(
    blog: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "LARGE", 1)
    makers.freeze_into(blog, makers.LATER, jobs=2)
    makers.edit("post-150", body_en="Another text. " * 90)

    report = makers.freeze_into(blog, makers.LATER, jobs=2)

    assert report.outcome == "published"
    assert same_as_full(blog, tmp_path / "full")
