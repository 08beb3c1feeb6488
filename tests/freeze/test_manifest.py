"""The manifest has every address, file and header of a release."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from api.contract import API_VERSION
from site_mirror.snapshot.entries import format_line
from site_mirror.snapshot.layout import MANIFEST, RELEASE_PARTS
from site_mirror.snapshot.manifest import index_documents
from site_mirror.snapshot.target import Target
from tests.freeze import engine, target_files


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


def test_a_line_of_each_kind_has_all_its_members(retired_site: Path) -> None:
    found = read_lines(retired_site)

    kinds = [next(iter(line)) for line in found]
    assert [kind for kind, _ in groupby(kinds)] == [*MEMBERS]
    for line, kind in zip(found, kinds, strict=True):
        assert [*line] == [kind, *MEMBERS[kind].split()]
    assert (found[0]["siteRoot"], found[0]["apiVersion"]) == ("https://studio.example", API_VERSION)
    counts = {f"{kind}s": kinds.count(kind) for kind in ("document", "redirect", "error")}
    assert {name: part["count"] for name, part in found[-1]["contents"].items()} == counts
    assert {line["profile"] for line in found[1:-1]} == found[-1]["profiles"].keys()


def test_the_manifest_lists_each_address_once_and_every_file(retired_site: Path) -> None:
    found = target_files.read_manifest(retired_site)
    addresses = [
        address for entry in found.documents for address in (entry.address, *entry.aliases)
    ]
    public = target_files.read_tree(Target(retired_site).public.resolve())

    assert sorted(set(addresses)) == sorted(addresses)
    assert {file for entry in found.documents for file in entry.files} == public.keys()
    assert (found.files, found.size) == (len(public), sum(map(len, public.values())))


def test_every_line_reads_as_it_was_written(retired_site: Path) -> None:
    found = target_files.read_manifest(retired_site)

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


def test_a_release_has_the_parts_that_are_documented_and_no_other(retired_site: Path) -> None:
    release = retired_site / "current"

    assert {path.name for path in release.iterdir()} == {*RELEASE_PARTS}
    cache = {path.name for path in (release / "cache").iterdir()}
    assert cache == {"state.json", "batches", "anchors.txt"}
