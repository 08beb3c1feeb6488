"""The live origin answers every address as the manifest says."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.http import HttpResponse

from site_mirror.snapshot.manifest import EncodedFile, Entry
from tests.freeze import target_files
from tests.freeze.live_requests import Headers, ask, compare_headers

pytestmark = pytest.mark.django_db

DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress}
BODY_HEADERS = ("ETag", "Content-Length")


def list_requests(folder: Path) -> Iterator[tuple[str, Entry]]:
    for entry in target_files.read_manifest(folder).documents:
        for address in (entry.address, *entry.aliases):
            yield address, entry


def find_variant(entry: Entry, encoding: str) -> EncodedFile | None:
    return next((found for found in entry.encodings if found.encoding == encoding), None)


def expected_headers(entry: Entry, encoding: str) -> Headers:
    """Return the headers that a host sends for an entry and an encoding."""
    found = find_variant(entry, encoding)
    return {**entry.headers, **(found.headers if found else {})}


def decode_body(answer: HttpResponse) -> bytes:
    decode = DECODERS.get(answer.headers.get("Content-Encoding", ""), bytes)
    return decode(answer.content)


def split_moment(body: bytes) -> tuple[Any, str | None]:
    """Return a body without `generatedAt`, and where the member was."""
    members = json.loads(body)
    if "meta" in members:
        moment = members["meta"].pop("generatedAt", None)
        return members, "meta" if moment else None
    return members, "top" if members.pop("generatedAt", None) else None


def has_moment(folder: Path, entry: Entry) -> bool:
    return entry.media_type == "application/json" and bool(
        split_moment(target_files.read_body(folder, entry))[1]
    )


def select_headers(headers: Headers, *, has_time: bool) -> Headers:
    tolerated = ("Last-Modified", *BODY_HEADERS) if has_time else ("Last-Modified",)
    return {name: value for name, value in headers.items() if name not in tolerated}


COMPRESSED = pytest.mark.exhaustive("asks for every document in each content coding")
CASES = [
    *(
        pytest.param("retired", encoding, id=f"retired-{encoding}")
        for encoding in ("identity", "br")
    ),
    pytest.param("shipped", "identity", id="shipped-identity"),
    pytest.param("retired", "gzip", id="retired-gzip", marks=COMPRESSED),
    pytest.param("shipped", "gzip", id="shipped-gzip", marks=COMPRESSED),
    pytest.param("shipped", "br", id="shipped-br", marks=COMPRESSED),
]


@pytest.mark.parametrize(("site", "encoding"), CASES, indirect=["site"])
def test_live_and_frozen_have_the_same_status_headers_and_bytes(site: Path, encoding: str) -> None:
    differences = {}
    for address, entry in list_requests(site):
        answer = ask(address, encoding=encoding)
        has_time = has_moment(site, entry)
        live = {"status": str(answer.status_code), **answer.headers}
        frozen = {"status": str(entry.status), **expected_headers(entry, encoding)}
        differences[address] = [
            *compare_headers(
                select_headers(live, has_time=has_time), select_headers(frozen, has_time=has_time)
            ).items(),
            *compare_bodies(site, entry, encoding, answer),
            *find_wrong_moments(live["Last-Modified"], frozen["Last-Modified"]),
        ]

    assert {address: found for address, found in differences.items() if found} == {}


def compare_bodies(site: Path, entry: Entry, encoding: str, answer: HttpResponse) -> Iterator[str]:
    """Yield how a live body differs from the files of a release, apart from its moment."""
    frozen = target_files.read_body(site, entry)
    if has_moment(site, entry):
        if (split_moment(frozen)[0], None) != split_moment(decode_body(answer)):
            yield "members"
        return
    variant = find_variant(entry, encoding)
    file = site / "current/public" / (variant.file if variant else entry.file)
    if answer.content != file.read_bytes():
        yield "compressed bytes"
    if decode_body(answer) != frozen:
        yield "bytes"


def find_wrong_moments(*texts: str) -> list[str]:
    """Return those of some texts that are not HTTP dates."""
    return [
        text for text in texts if f"{parsedate_to_datetime(text):%a, %d %b %Y %H:%M:%S} GMT" != text
    ]


def test_a_method_that_writes_is_refused_at_every_address(site: Path) -> None:
    answers = {address: ask(address, "POST") for address, _ in list_requests(site)}
    refusals = {
        address: (answer.status_code, answer.get("Allow")) for address, answer in answers.items()
    }

    assert refusals == dict.fromkeys(answers, (405, "GET, HEAD, OPTIONS"))


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
