"""A freeze writes what changed and keeps the rest, down to the inode."""

from datetime import datetime
from pathlib import Path

import pytest

from catalogue.models import App, Post
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.manifest import Entry
from site_mirror.snapshot.target import Target
from tests.freeze import makers, processes
from tests.rows import make_studio, make_version


def inodes(folder: Path) -> dict[str, int]:
    """Every published file with its inode: a kept file is a hard link."""
    public = Target(folder).public.resolve()
    return {
        str(path.relative_to(public)): path.stat().st_ino
        for path in public.rglob("*")
        if path.is_file()
    }


def rewritten(before: dict[str, Entry], after: dict[str, Entry]) -> set[str]:
    """Addresses whose document tells another moment than before, or is new."""
    moments = {address: entry.generated_at for address, entry in before.items()}
    return {
        address for address, entry in after.items() if moments.get(address) != entry.generated_at
    }


def test_a_second_freeze_of_the_same_site_writes_nothing(small_site: Path) -> None:
    before, links = makers.published(small_site), inodes(small_site)

    report = makers.freeze_into(small_site, makers.LATER)

    assert (report.outcome, report.written, report.removed) == (Outcome.UNCHANGED, 0, 0)
    assert makers.published(small_site) == before
    assert inodes(small_site) == links
    assert len(makers.releases(small_site)) == 1


def test_an_edited_post_writes_its_own_documents_and_the_lists_it_is_in(small_site: Path) -> None:
    before = makers.entries(small_site)
    makers.edit("older", title_en="Another title")

    makers.freeze_into(small_site, makers.LATER)

    assert rewritten(before, makers.entries(small_site)) == {
        "/api/v1/posts",
        "/api/v1/posts/older",
        "/blog/older",
        "/blog/older.md",
        "/blog/newer",
        "/blog/newer.md",
        *makers.LISTS_OF_POSTS,
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.md",
        "/sitemap.xml",
    }


def test_an_edited_body_leaves_the_api_as_it_is(small_site: Path) -> None:
    before = makers.entries(small_site)
    makers.edit("older", body_en="A short body. " * 200)

    makers.freeze_into(small_site, makers.LATER)

    assert rewritten(before, makers.entries(small_site)) == {
        "/blog/older",
        "/blog/older.md",
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms-full.txt",
        "/sitemap.xml",
    }


def test_what_an_edit_did_not_touch_keeps_its_inode_and_its_moment(small_site: Path) -> None:
    links, before = inodes(small_site), makers.entries(small_site)
    makers.edit("older", title_en="Another title")
    makers.freeze_into(small_site, makers.LATER)

    after = makers.entries(small_site)
    new = {file for address in rewritten(before, after) for file in after[address].files}
    kept = links.keys() - new

    assert {file: inodes(small_site)[file] for file in kept} == {file: links[file] for file in kept}
    unchanged = after.keys() - rewritten(before, after)
    assert {address: makers.promised(after[address]) for address in unchanged} == {
        address: makers.promised(before[address]) for address in unchanged
    }


def test_a_rewritten_file_leaves_the_earlier_release_as_it_was(small_site: Path) -> None:
    earlier = Target(small_site).release
    assert earlier is not None
    before = makers.tree(earlier)
    makers.edit("older", title_en="Another title")

    makers.freeze_into(small_site, makers.LATER)

    assert makers.tree(earlier) == before


def test_a_report_counts_files_written_and_kept(small_site: Path) -> None:
    before = makers.entries(small_site)
    makers.edit("older", title_en="Another title")

    report = makers.freeze_into(small_site, makers.LATER)

    after = makers.entries(small_site)
    new = {file for address in rewritten(before, after) for file in after[address].files}
    assert (report.written, report.written + report.kept) == (len(new), len(inodes(small_site)))
    assert report.documents == len(after)


def test_withdrawing_an_app_removes_its_documents(small_site: Path) -> None:
    before = makers.entries(small_site)
    App.objects.update(state="draft")

    report = makers.freeze_into(small_site, makers.LATER)

    gone = before.keys() - makers.entries(small_site).keys()
    assert gone == {
        "/api/v1/apps/an-app",
        "/apps/an-app",
        "/apps/an-app.md",
        "/vi/apps/an-app",
        "/vi/apps/an-app.md",
        "/icons/an-app.svg",
    }
    assert report.removed == len(gone)
    assert {file for address in gone for file in before[address].files} & set(
        inodes(small_site)
    ) == set()


def test_an_edit_undone_gives_the_earlier_content_digest(small_site: Path) -> None:
    before = makers.entries(small_site)["/blog/older.md"]
    makers.edit("older", title_en="Another title")
    makers.freeze_into(small_site, makers.LATER)
    changed = makers.entries(small_site)["/blog/older.md"]
    makers.edit("older", title_en="A post")

    makers.freeze_into(small_site, makers.LATER)

    undone = makers.entries(small_site)["/blog/older.md"]
    assert before.content_sha256 == undone.content_sha256 != changed.content_sha256


def test_an_edit_undone_before_the_freeze_changes_the_moment_of_the_edit_alone(
    small_site: Path,
) -> None:
    before = makers.entries(small_site)
    makers.edit("older", title_en="Another title")
    makers.edit("older", title_en="A post")

    makers.freeze_into(small_site, makers.LATER)

    assert rewritten(before, makers.entries(small_site)) == {
        "/blog/older",
        "/blog/feed.json",
        "/blog/feed.xml",
        "/sitemap.xml",
    }


def test_a_moved_post_is_a_redirect_and_no_document(small_site: Path) -> None:
    makers.edit("older", slug="oldest")

    report = makers.freeze_into(small_site, makers.LATER)

    moved = {redirect.address for redirect in makers.frozen_manifest(small_site).redirects}
    assert report.redirects == len(moved)
    assert "/blog/older" in moved
    assert moved.isdisjoint(makers.entries(small_site))


def test_a_retired_version_changes_headers_and_keeps_the_bodies_that_do_not_tell_it(
    small_site: Path,
) -> None:
    links, before = inodes(small_site), makers.entries(small_site)
    makers.retire_the_version()

    makers.freeze_into(small_site, makers.LATER)

    after = makers.entries(small_site)
    below = {address for address in after if address.startswith("/api/v1/")} | {"/openapi.json"}
    assert {address for address in after if "Sunset" in after[address].headers} == below
    telling = {"/api/v1/", "/api/v1/versions", "/openapi.json", "/llms-full.txt"}
    pages = ("/docs/api", "/docs/versioning", "/vi/docs/api", "/vi/docs/versioning")
    telling |= {f"{page}{suffix}" for page in pages for suffix in ("", ".md")}
    assert rewritten(before, after) == telling
    assert inodes(small_site)["api/v1/apps.json"] == links["api/v1/apps.json"]


def test_a_changed_root_is_told_everywhere(database: Path, target: Path) -> None:
    done = processes.freeze(target, database=database, SITE_ROOT="https://other.example")

    telling = {
        file
        for file, body in makers.published(target)[1].items()
        if not file.endswith((".br", ".gz")) and b"https://studio.example" in body
    }
    assert (done.returncode, done.stderr) == (processes.PUBLISHED, "")
    assert telling == set()
    assert makers.frozen_manifest(target).site_root == "https://other.example"


@pytest.mark.parametrize("moment", [makers.MOMENT, makers.LATER], ids=["same", "later"])
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_damaged_file_is_published_afresh(
    damage: str, moment: datetime, small_site: Path
) -> None:
    file = Target(small_site).public / "blog/older.md"
    whole = file.read_bytes()
    file.unlink()
    if damage == "cut":
        file.write_bytes(whole[:10])

    report = makers.freeze_into(small_site, moment)

    assert report.outcome is Outcome.PUBLISHED
    assert (Target(small_site).public / "blog/older.md").read_bytes() == whole


def test_a_studio_without_content_still_publishes_the_api(db: None, tmp_path: Path) -> None:
    make_studio()
    make_version()
    makers.make_pages()
    report = makers.freeze_into(tmp_path)

    assert Post.objects.count() == 0
    assert report.outcome is Outcome.PUBLISHED
    assert "/api/v1/posts" in makers.entries(tmp_path)


def test_a_damaged_file_is_written_again_even_if_its_size_is_right(small_site: Path) -> None:
    file = Target(small_site).public / "api/v1/apps.json"
    whole = file.read_bytes()
    file.write_bytes(b"damaged!" + whole[8:])
    makers.freeze_into(small_site, makers.LATER)

    now = (Target(small_site).public / "api/v1/apps.json").read_bytes()

    assert b"damaged!" not in now
    assert len(now) == len(whole)
