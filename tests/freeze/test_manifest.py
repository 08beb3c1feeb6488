"""The manifest: what a release serves, told in full."""

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
        "places.txt",
        "report.json",
        "portions.jsonl",
        "entries",
        "seal.json",
        "outline.json",
        "made.json",
    }


def test_the_manifest_tells_the_root_of_the_site(small_site: Path) -> None:
    assert makers.frozen_manifest(small_site).site_root == "https://studio.example"
    assert makers.frozen_manifest(small_site).api_version == API_VERSION
