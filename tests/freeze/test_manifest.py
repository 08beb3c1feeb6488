"""The manifest: what a release serves, told in full."""

import json
from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from api.contract import API_VERSION
from site_mirror.snapshot import lines, manifest
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.entries import ErrorBody
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.target import Target
from tests.freeze import makers

SECTIONS = ("document", "redirect", "error")


def told(folder: Path) -> list[dict[str, Any]]:
    """The lines of the current release's manifest."""
    text = (folder / "current" / MANIFEST).read_text()
    return [json.loads(line) for line in text.splitlines()]


def kinds(folder: Path) -> list[str]:
    """What each line is, in order, each kind once."""
    return [kind for kind, _ in groupby(next(iter(line)) for line in told(folder))]


def test_the_first_member_of_a_line_says_what_it_is(small_site: Path) -> None:
    makers.rename_what_has_an_address()
    makers.freeze_into(small_site, makers.LATER)

    assert kinds(small_site) == ["format", "document", "redirect", "error", "contents"]


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("format", {"format", "siteRoot", "apiVersion"}),
        (
            "document",
            {
                "document",
                "aliases",
                "file",
                "family",
                "status",
                "mediaType",
                "profile",
                "headers",
                "size",
                "sha256",
                "contentSha256",
                "inputs",
                "generatedAt",
                "encodings",
            },
        ),
        ("redirect", {"redirect", "location", "status", "profile", "headers"}),
        (
            "error",
            {"error", "scope", "file", "mediaType", "profile", "headers", "size", "sha256"},
        ),
        ("contents", {"contents", "files", "bytes", "profiles"}),
    ],
)
def test_a_line_is_told_in_full(kind: str, members: set[str], small_site: Path) -> None:
    makers.rename_what_has_an_address()
    makers.freeze_into(small_site, makers.LATER)

    found = {frozenset(line) for line in told(small_site) if kind in line}

    assert found == {frozenset(members)}


def test_every_line_reads_as_it_was_written(small_site: Path) -> None:
    makers.rename_what_has_an_address()
    makers.freeze_into(small_site, makers.LATER)
    found = makers.frozen_manifest(small_site)

    assert [lines.document_line(entry).text for entry in found.documents] == [
        *found.documents.raw()
    ]
    assert [lines.redirect_line(redirect).text for redirect in found.redirects] == [
        *found.redirects.raw()
    ]
    assert [lines.error_line(error).text for error in found.errors] == [*found.errors.raw()]


def test_the_counts_are_those_of_the_lines(small_site: Path) -> None:
    makers.rename_what_has_an_address()
    makers.freeze_into(small_site, makers.LATER)
    found, written = makers.frozen_manifest(small_site), told(small_site)

    counts = {name: sum(name in line for line in written) for name in SECTIONS}
    assert counts == {
        "document": len(found.documents),
        "redirect": len(found.redirects),
        "error": len(found.errors),
    }
    assert all(counts.values())


def test_a_section_can_be_read_again(small_site: Path) -> None:
    found = makers.frozen_manifest(small_site)

    assert [*found.documents] == [*found.documents]
    assert len([*found.documents]) == len(found.documents) > 0


def test_the_manifest_counts_the_files_and_their_bytes(small_site: Path) -> None:
    found = makers.frozen_manifest(small_site)
    public = makers.tree(Target(small_site).public.resolve())

    assert (found.files, found.size) == (len(public), sum(map(len, public.values())))


def test_a_profile_is_told_once_and_used(small_site: Path) -> None:
    written = told(small_site)
    used = {line["profile"] for line in written if "profile" in line}

    assert used == written[-1]["profiles"].keys()


HEADERS = [
    {},
    {"Cache-Control": "no-store"},
    {"Content-Type": "text/html", "Content-Length": "5"},
    {"ETag": '"x"', "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Link": "</a>; rel=b"},
    {"Vary": "Accept", "Content-Length": "5", "Content-Type": "text/html", "X-A": 'ä”"\\'},
]


@pytest.mark.parametrize("headers", HEADERS, ids=len)
def test_headers_are_the_same_after_a_journey(headers: dict[str, str]) -> None:
    implied = {"Content-Type": "text/html", "Content-Length": "5"}
    error = ErrorBody("/", 404, "404.md", "text/html", headers | implied, 5, "0" * 64)
    line = lines.error_line(error)

    assert lines.error(line.text, {line.profile.name: line.profile.headers}) == error


def test_headers_keep_their_names(small_site: Path) -> None:
    health = makers.entries(small_site)["/api/v1/health"]

    assert {"Content-Type", "RateLimit-Policy", "API-Version", "ETag"} <= health.headers.keys()


def test_a_document_is_listed_once_and_its_addresses_are_nobody_elses(small_site: Path) -> None:
    found = makers.frozen_manifest(small_site)
    addresses = [
        address for entry in found.documents for address in (entry.address, *entry.aliases)
    ]

    assert sorted(set(addresses)) == sorted(addresses)


def test_the_public_tree_holds_what_the_manifest_lists_and_nothing_else(small_site: Path) -> None:
    listed = {
        file for entry in makers.frozen_manifest(small_site).documents for file in entry.files
    }

    assert set(makers.tree(Target(small_site).public.resolve())) == listed


def test_a_release_is_the_public_tree_the_errors_and_the_manifest(small_site: Path) -> None:
    release = Target(small_site).release

    assert release is not None
    assert {path.name for path in release.iterdir()} == {
        "public",
        "errors",
        "manifest.jsonl",
        "SHA256SUMS",
        "removed.txt",
        "report.json",
    }


def test_the_manifest_tells_the_root_of_the_site(small_site: Path) -> None:
    assert makers.frozen_manifest(small_site).site_root == "https://studio.example"
    assert makers.frozen_manifest(small_site).api_version == API_VERSION


HEAD = b'{"format":2,"siteRoot":"","apiVersion":""}\n'
FOREIGN: list[bytes] = [
    b"",
    b"\n",
    b"{",
    b"\xff\xfe\x00",
    b"[]",
    b"null",
    b"5",
    b'"manifest"',
    b"{}",
    b'{"format": 1}',
    b'{"format": 1, "siteRoot": "", "documents": [], "redirects": [], "errors": []}',
    HEAD,
    HEAD + b'{"contents":{}}\n',
    HEAD + b'{"contents":{"documents":5},"files":0,"bytes":0,"profiles":{}}\n',
    HEAD.replace(b"2", b"1") + b'{"contents":{}}\n',
]


@pytest.mark.parametrize("foreign", FOREIGN)
def test_an_unreadable_or_foreign_manifest_counts_as_none(foreign: bytes, tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    path.write_bytes(foreign)

    assert manifest.read(path) is None


def test_no_manifest_counts_as_none(tmp_path: Path) -> None:
    assert manifest.read(tmp_path / MANIFEST) is None


@pytest.mark.parametrize("moment", [makers.MOMENT, makers.LATER], ids=["same", "later"])
@pytest.mark.parametrize("foreign", [b"{", b"[]", b'{"format": 2}'])
def test_a_freeze_over_a_foreign_manifest_publishes_afresh(
    foreign: bytes, moment: datetime, small_site: Path
) -> None:
    before = makers.published(small_site)[1]
    (small_site / "current" / MANIFEST).write_bytes(foreign)

    report = makers.freeze_into(small_site, moment)

    assert (report.outcome, report.kept) == (Outcome.PUBLISHED, 0)
    assert makers.published(small_site)[1].keys() == before.keys()


def rewritten(folder: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the manifest of the current release in place."""
    path = folder / "current" / MANIFEST
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize("cut", [1, 100, 2000])
def test_a_manifest_that_was_cut_off_counts_as_none(cut: int, small_site: Path) -> None:
    path = small_site / "current" / MANIFEST
    path.write_bytes(path.read_bytes()[:-cut])

    assert manifest.read(path) is None or cut == 1


def test_a_line_that_is_none_is_named_when_it_is_read(small_site: Path) -> None:
    rewritten(small_site, lambda text: text.replace(b'{"document":"/blog/older"', b'{"document"'))

    with pytest.raises(ManifestDamaged, match="is not as it was written"):
        list(makers.frozen_manifest(small_site).documents)


def test_lines_that_are_missing_are_noticed_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    sections = '"documents":{"start":9999,"count":7},"redirects":{"start":0,"count":0}'
    contents = f'{{"contents":{{{sections},"errors":{{"start":0,"count":0}}}},'
    path.write_bytes(HEAD + contents.encode() + b'"files":0,"bytes":0,"profiles":{}}\n')
    found = manifest.read(path)

    assert found is not None
    with pytest.raises(ManifestDamaged, match="it has 0 of 7 lines"):
        list(found.documents)


@pytest.mark.parametrize(
    "damage",
    [
        (b'"ETag"', b'"etag"'),
        (b'"Last-Modified"', b'"Last-Moved"'),
        (b'"document":"/blog', b'"document":/blog'),
        (b'"size":', b'"seize":'),
    ],
    ids=["no-etag", "no-moment", "no-json", "no-size"],
)
def test_a_damaged_line_is_made_afresh(damage: tuple[bytes, bytes], small_site: Path) -> None:
    whole = makers.frozen_manifest(small_site)
    addresses = [entry.address for entry in whole.documents]
    rewritten(small_site, lambda text: text.replace(*damage))

    report = makers.freeze_into(small_site, makers.LATER)

    now = makers.frozen_manifest(small_site)
    assert (report.outcome, [entry.address for entry in now.documents]) == (
        Outcome.PUBLISHED,
        addresses,
    )
    assert all({"ETag", "Last-Modified"} <= entry.headers.keys() for entry in now.documents)
