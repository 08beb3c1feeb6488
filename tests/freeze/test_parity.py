"""The live origin answers every address as the manifest says."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest

from catalogue.models import TeamMember
from site_mirror.hosts.expected import (
    Expectation,
    expect_document,
    expect_everything,
    expect_manifest,
)
from site_mirror.hosts.release import ServedRelease, read_release
from site_mirror.hosts.verify import Promises, compare_site
from site_mirror.snapshot.entries import Entry
from tests.freeze import sites, target_files
from tests.freeze.live_requests import OriginInProcess, ask

pytestmark = pytest.mark.django_db

DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress}
BODY_HEADERS = ("ETag", "Content-Length")
THOROUGHLY = pytest.mark.exhaustive("sends some 2,500 requests for each site")


def find_differences(folder: Path, promises: Promises) -> list[str]:
    """Return the differences of the live origin, which is recognized, from a release."""
    release = read_release(folder / "current")
    parity = compare_site(OriginInProcess(), release, None, promises)
    return [f"{check.request}: {check.fault}" for check in parity.differences]


def expect_bodies(release: ServedRelease) -> Iterator[Expectation]:
    """Expect each document at each address, without a coding."""
    for address, entry in release.by_address.items():
        yield expect_document(entry, address)


def test_live_and_frozen_have_the_same_status_headers_and_bytes(shipped_site: Path) -> None:
    assert find_differences(shipped_site, expect_bodies) == []


@pytest.mark.parametrize(
    "promises", [expect_manifest, pytest.param(expect_everything, marks=THOROUGHLY)]
)
def test_live_and_frozen_have_the_same_variants_redirects_and_errors(
    retired_site: Path, promises: Promises
) -> None:
    assert find_differences(retired_site, promises) == []


def test_edits_that_are_taken_back_are_no_difference(small_site: Path) -> None:
    member = TeamMember.objects.first()
    assert member
    role = member.role_en
    for text in ("Another role", role):
        member.role_en = text
        member.save()

    live, frozen = ask("/about"), target_files.read_entries(small_site)["/about"]
    assert live["Last-Modified"] != frozen.headers["Last-Modified"]
    assert find_differences(small_site, expect_bodies) == []


def test_an_edit_is_one_difference_of_each_document_that_shows_it(small_site: Path) -> None:
    sites.edit_post("newer", excerpt_en="Another excerpt. It is shown.")
    differences = find_differences(small_site, expect_bodies)
    addresses = [line.partition(":")[0].removeprefix("GET ") for line in differences]

    assert {"/blog/newer", "/blog/newer.md", "/api/v1/posts", "/blog/feed.xml"} <= {*addresses}
    assert {"/about", "/api/v1/apps", "/blog/older"}.isdisjoint(addresses)
    assert len(addresses) == len({*addresses})
    assert {line.partition(": ")[2] for line in differences} == {"other content than the release's"}


def split_moment(body: bytes) -> tuple[Any, str | None]:
    """Return a body without `generatedAt`, and where the member was."""
    members = json.loads(body)
    if "meta" in members:
        moment = members["meta"].pop("generatedAt", None)
        return members, "meta" if moment else None
    return members, "top" if members.pop("generatedAt", None) else None


def expected_headers(entry: Entry, encoding: str) -> dict[str, str]:
    """Return the headers that a host sends for an entry and an encoding."""
    found = next((each for each in entry.encodings if each.encoding == encoding), None)
    return {**entry.headers, **(found.headers if found else {})}


def test_a_method_that_writes_is_refused_at_every_address(site: Path) -> None:
    documents = target_files.read_manifest(site).documents
    addresses = [address for entry in documents for address in (entry.address, *entry.aliases)]
    answers = {address: ask(address, "POST") for address in addresses}
    refusals = {
        address: (answer.status_code, answer.get("Allow")) for address, answer in answers.items()
    }

    assert refusals == dict.fromkeys(addresses, (405, "GET, HEAD, OPTIONS"))


def test_generated_at_is_in_meta_or_at_the_top_of_bodies_without_envelope(site: Path) -> None:
    places = {
        entry.address: split_moment(target_files.read_body(site, entry))[1]
        for entry in target_files.read_manifest(site).documents
        if entry.media_type == "application/json"
    }

    at_the_top = {address for address, place in places.items() if place == "top"}
    nowhere = {address for address, place in places.items() if place is None}
    assert at_the_top == {"/api/v1/", "/api/v1/health"}
    assert nowhere == {"/openapi.json"}


def test_generated_at_has_its_place_in_the_order_of_members(site: Path) -> None:
    found = target_files.read_entries(site)
    bodies = {
        address: json.loads(target_files.read_body(site, found[address]))
        for address in ("/api/v1/", "/api/v1/health", "/api/v1/apps", "/api/v1/studio")
    }

    assert list(bodies["/api/v1/"])[:4] == ["self", "apiVersion", "status", "generatedAt"]
    assert list(bodies["/api/v1/health"]) == ["status", "apiVersion", "generatedAt"]
    assert list(bodies["/api/v1/apps"]["meta"])[2:] == ["count", "generatedAt"]
    assert list(bodies["/api/v1/studio"]["meta"])[2:] == ["generatedAt"]


def test_validators_and_lengths_are_those_of_the_frozen_bytes(site: Path) -> None:
    wrong = {}
    for entry in target_files.read_manifest(site).documents:
        tag = hashlib.sha256(target_files.read_body(site, entry)).hexdigest()[:32]
        expected = {"": (f'"{tag}"', str(entry.size))} | {
            found.encoding: (f'"{tag}-{found.encoding}"', str(found.size))
            for found in entry.encodings
        }
        given = {
            encoding: tuple(expected_headers(entry, encoding)[name] for name in BODY_HEADERS)
            for encoding in expected
        }
        if given != expected:
            wrong[entry.address] = given

    assert wrong == {}


def test_files_have_the_size_and_the_digest_that_the_manifest_says(site: Path) -> None:
    current = site / "current"
    found = target_files.read_manifest(site)
    files = {
        current / "public" / file.file: (file.size, file.sha256)
        for entry in found.documents
        for file in (entry, *entry.encodings)
    } | {current / "errors" / error.file: (error.size, error.sha256) for error in found.errors}

    measured = {file: (file.stat().st_size, hash_body(file.read_bytes())) for file in files}

    assert measured == files


def hash_body(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def test_compressed_files_decompress_to_the_document(site: Path) -> None:
    public = site / "current/public"
    wrong = {
        found.file
        for entry in target_files.read_manifest(site).documents
        for found in entry.encodings
        if DECODERS[found.encoding]((public / found.file).read_bytes())
        != target_files.read_body(site, entry)
    }

    assert wrong == set()
