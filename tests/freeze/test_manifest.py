"""The manifest has every address, file and header of a release."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from api.contract import API_VERSION
from site_mirror.snapshot.entries import format_line
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.manifest import index_documents
from site_mirror.snapshot.target import Target
from tests.freeze import engine, frozen_copies, sites, target_files


@pytest.fixture
def moved_site(db: None, tmp_path: Path) -> Path:
    """A target with a release that has redirects, too. Only read it."""
    return frozen_copies.make_site(freeze_moved_site, tmp_path)


def freeze_moved_site(target: Path) -> None:
    sites.make_site()
    sites.rename_app_and_post()
    sites.freeze_into(target)


def read_lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the manifest of the current release."""
    text = (folder / "current" / MANIFEST).read_text()
    return [json.loads(line) for line in text.splitlines()]


MEMBERS = {
    "format": "siteRoot apiVersion",
    "document": "aliases file family status mediaType profile headers size sha256 contentSha256 "
    "inputs generatedAt encodings",
    "redirect": "location status profile headers",
    "error": "scope file mediaType profile headers size sha256",
    "contents": "files bytes profiles",
}
"""The members of each kind of line, beside the first one, which is the kind."""


def test_a_line_of_each_kind_has_all_its_members(moved_site: Path) -> None:
    found = read_lines(moved_site)

    kinds = [next(iter(line)) for line in found]
    assert [kind for kind, _ in groupby(kinds)] == [*MEMBERS]
    for line, kind in zip(found, kinds, strict=True):
        assert [*line] == [kind, *MEMBERS[kind].split()]
    assert (found[0]["siteRoot"], found[0]["apiVersion"]) == ("https://studio.example", API_VERSION)
    counts = {f"{kind}s": kinds.count(kind) for kind in ("document", "redirect", "error")}
    assert {name: part["count"] for name, part in found[-1]["contents"].items()} == counts
    assert {line["profile"] for line in found[1:-1]} == found[-1]["profiles"].keys()


def test_the_manifest_lists_each_address_once_and_every_file(moved_site: Path) -> None:
    found = target_files.read_manifest(moved_site)
    addresses = [
        address for entry in found.documents for address in (entry.address, *entry.aliases)
    ]
    public = target_files.read_tree(Target(moved_site).public.resolve())

    assert sorted(set(addresses)) == sorted(addresses)
    assert {file for entry in found.documents for file in entry.files} == public.keys()
    assert (found.files, found.size) == (len(public), sum(map(len, public.values())))


def test_every_line_reads_as_it_was_written(moved_site: Path) -> None:
    found = target_files.read_manifest(moved_site)

    for section in (found.documents, found.redirects, found.errors):
        assert [format_line(entry).text for entry in section] == [*section.raw_lines()]
        assert len(section) > 0


ODD = ("/a", '/a"b', '/a"bc', "/a\\b", "/đà", "/a,b", '/a","aliases":', "/\u2028", "/a\nb")
UNKNOWN = ("", "/", "/20", "/2000", "/A", '"', "/a\\")


def test_each_document_is_found_by_its_address_and_no_other(tmp_path: Path) -> None:
    addresses = [*ODD, "/200"]
    engine.publish(tmp_path, *map(engine.make_document, addresses))

    index = index_documents((tmp_path / "current").resolve())

    found = [index.find(address) for address in addresses]
    assert found == [*target_files.read_manifest(tmp_path).documents]
    assert [index.find(address) for address in UNKNOWN] == [None] * len(UNKNOWN)
    assert index_documents(None).find("/a") is None


def test_a_release_is_the_public_tree_the_errors_the_manifest_and_a_cache(small_site: Path) -> None:
    release = Target(small_site).release

    assert release is not None
    assert {path.name for path in release.iterdir()} == {
        "public",
        "errors",
        "manifest.jsonl",
        "SHA256SUMS",
        "removed.txt",
        "report.json",
        "cache",
    }
    assert {path.name for path in (release / "cache").iterdir()} == {
        "state.json",
        "batches",
        "anchors.txt",
    }
