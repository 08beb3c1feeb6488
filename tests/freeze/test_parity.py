"""What the manifest promises of an address is what the live origin answers there."""

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
from tests.freeze import makers
from tests.freeze.asking import ENCODINGS, Headers, ask, differing

ENCODING = pytest.mark.parametrize("encoding", ENCODINGS)
DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress}
OF_THE_BYTES = ("ETag", "Content-Length")


def requests(folder: Path) -> Iterator[tuple[str, Entry]]:
    for entry in makers.frozen_manifest(folder).documents:
        for address in (entry.address, *entry.aliases):
            yield address, entry


def variant(entry: Entry, encoding: str) -> EncodedFile | None:
    return next((found for found in entry.encodings if found.encoding == encoding), None)


def promised(entry: Entry, encoding: str) -> Headers:
    """The headers that a host sends by the manifest."""
    found = variant(entry, encoding)
    return {**entry.headers, **(found.headers if found else {})}


def decoded(answer: HttpResponse) -> bytes:
    decode = DECODERS.get(answer.headers.get("Content-Encoding", ""), bytes)
    return decode(answer.content)


def without_moment(body: bytes) -> tuple[Any, str | None]:
    """A body without `generatedAt`, and where that was."""
    members = json.loads(body)
    if "meta" in members:
        moment = members["meta"].pop("generatedAt", None)
        return members, "meta" if moment else None
    return members, "top" if members.pop("generatedAt", None) else None


def tells_moment(folder: Path, entry: Entry) -> bool:
    return entry.media_type == "application/json" and bool(
        without_moment(makers.served(folder, entry))[1]
    )


def compared(headers: Headers, *, telling: bool) -> Headers:
    tolerated = ("Last-Modified", *OF_THE_BYTES) if telling else ("Last-Modified",)
    return {name: value for name, value in headers.items() if name not in tolerated}


@ENCODING
def test_live_and_frozen_have_the_same_status_and_headers(site: Path, encoding: str) -> None:
    differences = {}
    for address, entry in requests(site):
        answer = ask(address, encoding=encoding)
        telling = tells_moment(site, entry)
        live = {"status": str(answer.status_code), **answer.headers}
        frozen = {"status": str(entry.status), **promised(entry, encoding)}
        differences[address] = differing(
            compared(live, telling=telling), compared(frozen, telling=telling)
        )

    assert {address: found for address, found in differences.items() if found} == {}


@ENCODING
def test_live_and_frozen_have_the_same_bytes(site: Path, encoding: str) -> None:
    differing_bodies = set()
    for address, entry in requests(site):
        live, frozen = decoded(ask(address, encoding=encoding)), makers.served(site, entry)
        if tells_moment(site, entry):
            same = (without_moment(frozen)[0], None) == without_moment(live)
        else:
            same = live == frozen
        if not same:
            differing_bodies.add(address)

    assert differing_bodies == set()


@ENCODING
def test_a_compressed_answer_has_the_bytes_of_the_compressed_file(
    site: Path, encoding: str
) -> None:
    differing_bodies = set()
    for entry in makers.frozen_manifest(site).documents:
        found = variant(entry, encoding)
        file = found.file if found else entry.file
        frozen = (site / "current/public" / file).read_bytes()
        live = ask(entry.address, encoding=encoding).content
        if live != frozen and not tells_moment(site, entry):
            differing_bodies.add(entry.address)

    assert differing_bodies == set()


def test_both_moments_are_http_dates(site: Path) -> None:
    frozen = {entry.headers["Last-Modified"] for _, entry in requests(site)}
    live = {ask(address).headers["Last-Modified"] for address, _ in requests(site)}

    moments = {text: parsedate_to_datetime(text) for text in frozen | live}

    assert {f"{moment:%a, %d %b %Y %H:%M:%S} GMT" for moment in moments.values()} == set(moments)


def test_the_moment_is_in_meta_or_at_the_top_of_what_has_no_envelope(site: Path) -> None:
    places = {
        entry.address: without_moment(makers.served(site, entry))[1]
        for entry in makers.frozen_manifest(site).documents
        if entry.media_type == "application/json"
    }

    at_the_top = {address for address, place in places.items() if place == "top"}
    nowhere = {address for address, place in places.items() if place is None}
    assert at_the_top == {"/api/v1/", "/api/v1/health"}
    assert nowhere == {"/openapi.json"}


def test_the_moment_follows_what_the_contract_lists_before_it(site: Path) -> None:
    found = makers.entries(site)
    bodies = {
        address: json.loads(makers.served(site, found[address]))
        for address in ("/api/v1/", "/api/v1/health", "/api/v1/apps", "/api/v1/studio")
    }

    assert list(bodies["/api/v1/"])[:4] == ["self", "apiVersion", "status", "generatedAt"]
    assert list(bodies["/api/v1/health"]) == ["status", "apiVersion", "generatedAt"]
    assert list(bodies["/api/v1/apps"]["meta"])[2:] == ["count", "generatedAt"]
    assert list(bodies["/api/v1/studio"]["meta"])[2:] == ["generatedAt"]


def test_validators_and_lengths_are_those_of_the_frozen_bytes(site: Path) -> None:
    wrong = {}
    for entry in makers.frozen_manifest(site).documents:
        tag = hashlib.sha256(makers.served(site, entry)).hexdigest()[:32]
        expected = {"": (f'"{tag}"', str(entry.size))} | {
            found.encoding: (f'"{tag}-{found.encoding}"', str(found.size))
            for found in entry.encodings
        }
        given = {
            encoding: tuple(promised(entry, encoding)[name] for name in OF_THE_BYTES)
            for encoding in expected
        }
        if given != expected:
            wrong[entry.address] = given

    assert wrong == {}


def test_files_have_the_size_and_the_digest_that_the_manifest_says(site: Path) -> None:
    current = site / "current"
    found = makers.frozen_manifest(site)
    files = {
        current / "public" / file.file: (file.size, file.sha256)
        for entry in found.documents
        for file in (entry, *entry.encodings)
    } | {current / "errors" / error.file: (error.size, error.sha256) for error in found.errors}

    measured = {file: (file.stat().st_size, digest(file.read_bytes())) for file in files}

    assert measured == files


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def test_compressed_files_decompress_to_the_document(site: Path) -> None:
    public = site / "current/public"
    wrong = {
        found.file
        for entry in makers.frozen_manifest(site).documents
        for found in entry.encodings
        if DECODERS[found.encoding]((public / found.file).read_bytes())
        != makers.served(site, entry)
    }

    assert wrong == set()
