"""A freeze writes changed files and hard-links the others."""

from pathlib import Path

from catalogue.models import App, Post
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from tests.factories import make_studio, make_version
from tests.freeze import sites, target_files


def read_inodes(folder: Path) -> dict[str, int]:
    """Return the inode of every published file: a reused file is a hard link."""
    public = Target(folder).public.resolve()
    return {
        str(path.relative_to(public)): path.stat().st_ino
        for path in public.rglob("*")
        if path.is_file()
    }


def find_rewritten(before: dict[str, Entry], after: dict[str, Entry]) -> set[str]:
    """Return the addresses of documents that are new or have another moment."""
    moments = {address: entry.generated_at for address, entry in before.items()}
    return {
        address for address, entry in after.items() if moments.get(address) != entry.generated_at
    }


def test_a_second_freeze_of_the_same_site_writes_nothing(small_site: Path) -> None:
    before, links = target_files.read_published(small_site), read_inodes(small_site)

    report = sites.freeze_into(small_site, sites.LATER)

    assert (report.outcome, report.written, report.removed) == (Outcome.UNCHANGED, 0, 0)
    assert target_files.read_published(small_site) == before
    assert read_inodes(small_site) == links
    assert len(target_files.list_releases(small_site)) == 1


def test_an_edited_post_writes_its_own_documents_and_the_lists_it_is_in(small_site: Path) -> None:
    before = target_files.read_entries(small_site)
    sites.edit_post("older", title_en="Another title")

    sites.freeze_into(small_site, sites.LATER)

    assert find_rewritten(before, target_files.read_entries(small_site)) == {
        "/api/v1/posts",
        "/api/v1/posts/older",
        "/blog/older",
        "/blog/older.md",
        "/blog/newer",
        "/blog/newer.md",
        *sites.LISTS_OF_POSTS,
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.md",
        "/sitemap.xml",
    }


def test_an_edited_body_leaves_the_api_as_it_is(small_site: Path) -> None:
    before = target_files.read_entries(small_site)
    sites.edit_post("older", body_en="A short body. " * 200)

    sites.freeze_into(small_site, sites.LATER)

    assert find_rewritten(before, target_files.read_entries(small_site)) == {
        "/blog/older",
        "/blog/older.md",
        "/blog/feed.json",
        "/blog/feed.xml",
        "/llms-full.txt",
        "/sitemap.xml",
    }


def test_files_that_an_edit_does_not_change_keep_their_inode_and_moment(small_site: Path) -> None:
    links, before = read_inodes(small_site), target_files.read_entries(small_site)
    earlier = Target(small_site).current.resolve()
    tree = target_files.read_tree(earlier)
    sites.edit_post("older", title_en="Another title")
    report = sites.freeze_into(small_site, sites.LATER)

    after = target_files.read_entries(small_site)
    new = {file for address in find_rewritten(before, after) for file in after[address].files}
    kept = links.keys() - new

    assert target_files.read_tree(earlier) == tree
    assert (report.written, report.kept, report.documents) == (len(new), len(kept), len(after))
    assert {file: read_inodes(small_site)[file] for file in kept} == {
        file: links[file] for file in kept
    }
    unchanged = after.keys() - find_rewritten(before, after)
    assert {address: target_files.without_inputs(after[address]) for address in unchanged} == {
        address: target_files.without_inputs(before[address]) for address in unchanged
    }


def test_withdrawing_an_app_removes_its_documents(small_site: Path) -> None:
    before = target_files.read_entries(small_site)
    App.objects.update(state="draft")

    report = sites.freeze_into(small_site, sites.LATER)

    gone = before.keys() - target_files.read_entries(small_site).keys()
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
        read_inodes(small_site)
    ) == set()


def test_a_deprecated_version_changes_headers_and_only_the_bodies_that_mention_it(
    small_site: Path,
) -> None:
    links, before = read_inodes(small_site), target_files.read_entries(small_site)
    sites.deprecate_version()

    sites.freeze_into(small_site, sites.LATER)

    after = target_files.read_entries(small_site)
    below = {address for address in after if address.startswith("/api/v1/")} | {"/openapi.json"}
    assert {address for address in after if "Sunset" in after[address].headers} == below
    telling = {"/api/v1/", "/api/v1/versions", "/openapi.json", "/llms-full.txt"}
    pages = ("/docs/api", "/docs/versioning", "/vi/docs/api", "/vi/docs/versioning")
    telling |= {f"{page}{suffix}" for page in pages for suffix in ("", ".md")}
    assert find_rewritten(before, after) == telling
    assert read_inodes(small_site)["api/v1/apps.json"] == links["api/v1/apps.json"]


def test_a_studio_without_content_still_publishes_the_api(db: None, tmp_path: Path) -> None:
    make_studio()
    make_version()
    sites.make_pages()
    report = sites.freeze_into(tmp_path)

    assert Post.objects.count() == 0
    assert report.outcome is Outcome.PUBLISHED
    assert "/api/v1/posts" in target_files.read_entries(tmp_path)
