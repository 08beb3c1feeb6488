"""The manifest has every address, file and header of a release."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from api.contract import API_VERSION
from site_mirror.snapshot.layout import MANIFEST, RELEASE_PARTS
from tests.freeze import target_files


def read_lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the manifest of the current release."""
    text = (folder / "current" / MANIFEST).read_text()
    return [json.loads(line) for line in text.splitlines()]


MEMBERS = {
    "format": "siteRoot apiVersion",
    "document": "aliases file family status mediaType headers size sha256 contentSha256 "
    "inputs generatedAt encodings",
    "redirect": "location status headers",
    "error": "scope file mediaType headers size sha256",
    "contents": "files bytes",
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
    described = [line for line in found if "mediaType" in line]
    assert [line["headers"]["Content-Type"] for line in described] == [
        line["mediaType"] for line in described
    ]


def test_the_manifest_lists_each_address_once_and_every_file(retired_site: Path) -> None:
    found = target_files.read_manifest(retired_site)
    addresses = [
        address for entry in found.documents for address in (entry.address, *entry.aliases)
    ]
    public = target_files.read_tree((retired_site / "current/public").resolve())

    assert sorted(set(addresses)) == sorted(addresses)
    assert {file for entry in found.documents for file in entry.files} == public.keys()
    assert (found.files, found.size) == (len(public), sum(map(len, public.values())))


def test_a_release_has_the_parts_that_are_documented_and_no_other(retired_site: Path) -> None:
    release = retired_site / "current"

    assert {path.name for path in release.iterdir()} == {*RELEASE_PARTS}
    cache = {path.name for path in (release / "cache").iterdir()}
    assert cache == {"state.json", "batches", "anchors.txt", "content.json"}
