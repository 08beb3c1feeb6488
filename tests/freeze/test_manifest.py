"""The manifest has every address, file and header of a release."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from api.contract import API_VERSION
from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import ErrorBody
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.target import Target
from tests.freeze import frozen_copies, sites, target_files


@pytest.fixture
def moved_site(db: None, tmp_path: Path) -> Path:
    """A target with a release that has redirects, too. Only read it."""
    return frozen_copies.make_site(freeze_moved_site, tmp_path)


def freeze_moved_site(target: Path) -> None:
    sites.make_site()
    sites.rename_app_and_post()
    sites.freeze_into(target)


SECTIONS = ("document", "redirect", "error")


def read_lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the manifest of the current release."""
    text = (folder / "current" / MANIFEST).read_text()
    return [json.loads(line) for line in text.splitlines()]


def list_kinds(folder: Path) -> list[str]:
    """Return the kinds of the lines in their order."""
    return [kind for kind, _ in groupby(next(iter(line)) for line in read_lines(folder))]


def test_the_first_member_of_a_line_is_its_kind(moved_site: Path) -> None:
    assert list_kinds(moved_site) == ["format", "document", "redirect", "error", "contents"]


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
def test_a_line_of_each_kind_has_all_its_members(
    kind: str, members: set[str], moved_site: Path
) -> None:
    found = {frozenset(line) for line in read_lines(moved_site) if kind in line}

    assert found == {frozenset(members)}


def test_every_line_reads_as_it_was_written(moved_site: Path) -> None:
    found = target_files.read_manifest(moved_site)

    assert [lines.document_line(entry).text for entry in found.documents] == [
        *found.documents.raw_lines()
    ]
    assert [lines.redirect_line(redirect).text for redirect in found.redirects] == [
        *found.redirects.raw_lines()
    ]
    assert [lines.error_line(error).text for error in found.errors] == [*found.errors.raw_lines()]


def test_the_counts_are_those_of_the_lines(moved_site: Path) -> None:
    found, written = target_files.read_manifest(moved_site), read_lines(moved_site)

    counts = {name: sum(name in line for line in written) for name in SECTIONS}
    assert counts == {
        "document": len(found.documents),
        "redirect": len(found.redirects),
        "error": len(found.errors),
    }
    assert all(counts.values())


def test_a_section_of_the_manifest_can_be_read_twice(small_site: Path) -> None:
    found = target_files.read_manifest(small_site)

    assert [*found.documents] == [*found.documents]
    assert len([*found.documents]) == len(found.documents) > 0


def test_the_manifest_counts_the_files_and_their_bytes(small_site: Path) -> None:
    found = target_files.read_manifest(small_site)
    public = target_files.read_tree(Target(small_site).public.resolve())

    assert (found.files, found.size) == (len(public), sum(map(len, public.values())))


def test_every_header_profile_of_the_manifest_is_used(small_site: Path) -> None:
    written = read_lines(small_site)
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
def test_headers_are_the_same_after_writing_and_parsing(headers: dict[str, str]) -> None:
    implied = {"Content-Type": "text/html", "Content-Length": "5"}
    error = ErrorBody("/", 404, "404.md", "text/html", headers | implied, 5, "0" * 64)
    line = lines.error_line(error)

    assert lines.parse_error(line.text, {line.profile.name: line.profile.headers}) == error


def test_headers_keep_their_names(small_site: Path) -> None:
    health = target_files.read_entries(small_site)["/api/v1/health"]

    assert {"Content-Type", "RateLimit-Policy", "API-Version", "ETag"} <= health.headers.keys()


def test_every_address_belongs_to_one_document(small_site: Path) -> None:
    found = target_files.read_manifest(small_site)
    addresses = [
        address for entry in found.documents for address in (entry.address, *entry.aliases)
    ]

    assert sorted(set(addresses)) == sorted(addresses)


def test_the_public_files_are_those_that_the_manifest_lists(small_site: Path) -> None:
    listed = {
        file for entry in target_files.read_manifest(small_site).documents for file in entry.files
    }

    assert set(target_files.read_tree(Target(small_site).public.resolve())) == listed


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


def test_the_manifest_has_the_site_root_and_the_version_of_the_contract(small_site: Path) -> None:
    assert target_files.read_manifest(small_site).site_root == "https://studio.example"
    assert target_files.read_manifest(small_site).api_version == API_VERSION
