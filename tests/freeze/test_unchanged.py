"""A freeze writes changed files and hard-links the others."""

import errno
import os
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from tests.factories import make_studio, make_version
from tests.freeze import sites, target_files


def read_inodes(folder: Path) -> dict[str, int]:
    """Return the inode of every published file: a reused file is a hard link."""
    public = (folder / "current/public").resolve()
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
    telling |= {"/search-index.json", "/vi/search-index.json"}
    of_api = ("get-api-index", "index-object", "list-versions", "version-object")
    for page in ("versioning", *(f"api/{each}" for each in of_api)):
        telling |= {f"{start}/docs/{page}{end}" for start in ("", "/vi") for end in ("", ".md")}
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


def test_a_freeze_says_that_a_file_system_makes_no_hard_links(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: object, **folders: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", names[0])

    published = Target(small_site).release
    sites.edit_post("older", title_en="Another title", body_en="Short.")
    monkeypatch.setattr(os, "link", refuse)

    with pytest.raises(FreezeError, match="cannot be written: Operation not permitted"):
        sites.freeze_into(small_site, sites.LATER)

    assert Target(small_site).release == published
