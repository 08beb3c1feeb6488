"""The manifest: what a release serves, told in full."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.target import Target
from tests.freeze import makers


def members(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "current/manifest.json").read_text())
    return dict(found)


def test_a_manifest_reads_as_it_was_written(small_site: Path, tmp_path: Path) -> None:
    makers.rename_what_has_an_address()
    makers.freeze_into(small_site, makers.LATER)
    written = makers.frozen_manifest(small_site)
    again = tmp_path / "again.json"
    again.write_bytes(written.to_json())

    assert written.redirects
    assert manifest.read(again) == written


def test_a_manifest_of_no_redirect_and_no_error_reads_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    written = Manifest(site_root="https://studio.example", documents=())
    path.write_bytes(written.to_json())

    assert manifest.read(path) == written


def test_a_document_is_told_in_full(small_site: Path) -> None:
    told = {
        frozenset(document) | {f"headers.{name}" for name in ("ETag", "Last-Modified")}
        for document in members(small_site)["documents"]
        if {"ETag", "Last-Modified", "Content-Type", "Content-Length"} <= document["headers"].keys()
    }

    assert told == {
        frozenset(
            {
                "address",
                "aliases",
                "file",
                "family",
                "status",
                "mediaType",
                "headers",
                "size",
                "sha256",
                "contentSha256",
                "generatedAt",
                "encodings",
                "headers.ETag",
                "headers.Last-Modified",
            }
        )
    }


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
    assert {path.name for path in release.iterdir()} == {"public", "errors", "manifest.json"}


def test_the_manifest_tells_the_root_of_the_site(small_site: Path) -> None:
    assert members(small_site)["siteRoot"] == "https://studio.example"


FOREIGN: list[bytes] = [
    b"",
    b"{",
    b"\xff\xfe\x00",
    b"[]",
    b"null",
    b"5",
    b'"manifest"',
    b"{}",
    b'{"format": 1}',
    b'{"format": 2, "siteRoot": "", "documents": [], "redirects": [], "errors": []}',
    b'{"format": 1, "siteRoot": "", "documents": 5, "redirects": [], "errors": []}',
    b'{"format": 1, "siteRoot": "", "documents": [{}], "redirects": [], "errors": []}',
    b'{"format": 1, "siteRoot": "", "documents": ["x"], "redirects": [], "errors": []}',
]


@pytest.mark.parametrize("foreign", FOREIGN)
def test_an_unreadable_or_foreign_manifest_counts_as_none(foreign: bytes, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(foreign)

    assert manifest.read(path) is None


def test_no_manifest_counts_as_none(tmp_path: Path) -> None:
    assert manifest.read(tmp_path / "manifest.json") is None


@pytest.mark.parametrize("moment", [makers.MOMENT, makers.LATER], ids=["same", "later"])
@pytest.mark.parametrize("foreign", [b"{", b"[]", b'{"format": 2}'])
def test_a_freeze_over_a_foreign_manifest_publishes_afresh(
    foreign: bytes, moment: datetime, small_site: Path
) -> None:
    before = makers.published(small_site)[1]
    (small_site / "current/manifest.json").write_bytes(foreign)

    report = makers.freeze_into(small_site, moment)

    assert (report.outcome, report.kept) == (Outcome.PUBLISHED, 0)
    assert makers.published(small_site)[1].keys() == before.keys()


def test_a_document_without_validators_in_the_manifest_is_written_afresh(small_site: Path) -> None:
    found = makers.frozen_manifest(small_site)
    bare = replace(found, documents=tuple(replace(entry, headers={}) for entry in found.documents))
    (small_site / "current/manifest.json").write_bytes(bare.to_json())

    report = makers.freeze_into(small_site, makers.LATER)

    assert report.outcome is Outcome.PUBLISHED
    assert all("ETag" in entry.headers for entry in makers.frozen_manifest(small_site).documents)
