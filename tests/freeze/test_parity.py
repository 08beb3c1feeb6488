"""The live origin answers every address, and every error, as the manifest says."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import brotli
import pytest
import time_machine
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone
from msgspec.structs import replace

from catalogue import addresses
from catalogue.models import TeamMember
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expectation import Expectation, expect_document
from site_mirror.hosts.expected import expect_everything, expect_manifest
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HostRequest, HostResponse
from site_mirror.hosts.origin import Origin
from site_mirror.hosts.parity import Parity
from site_mirror.hosts.release import ServedRelease, read_release
from site_mirror.hosts.verify import Promises, compare_site
from tests.freeze import sites, target_files
from tests.freeze.live_requests import OriginInProcess, ask, ask_over_budget
from tests.revisions import date_changes

pytestmark = pytest.mark.django_db

DECODERS = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
NO_REFERENCE = "^(?!.*/docs/api/)"
"""Pages of the reference are many, and made alike."""
THOROUGHLY = pytest.mark.exhaustive("sends some 2,500 requests for each site")


def find_differences(folder: Path, promises: Promises, chosen: str = "") -> list[str]:
    """Return the differences of the live origin, which is recognized, from a release.

    Only documents whose address has the pattern `chosen` are compared.
    """
    date_changes()
    release = read_release(folder / "current")
    documents = tuple(each for each in release.documents if re.search(chosen, each.address))
    some = replace(release, documents=documents)
    parity = compare_site(OriginInProcess(), some, None, promises)
    return [f"{check.request}: {check.fault}" for check in parity.differences]


def expect_bodies(release: ServedRelease) -> Iterator[Expectation]:
    """Expect each document at each address, without a coding."""
    for address, entry in release.by_address.items():
        yield expect_document(entry, address)


def test_live_and_frozen_have_the_same_status_headers_and_bytes(shipped_site: Path) -> None:
    assert find_differences(shipped_site, expect_bodies) == []


@pytest.mark.parametrize(
    "promises",
    [expect_manifest, pytest.param(expect_everything, marks=THOROUGHLY)],
)
def test_live_and_frozen_have_the_same_variants_redirects_and_errors(
    retired_site: Path, promises: Promises
) -> None:
    assert find_differences(retired_site, promises, NO_REFERENCE) == []


class DeafOrigin(OriginInProcess):
    """An origin that ignores a header of requests."""

    def __init__(self, ignored: str) -> None:
        super().__init__()
        self.ignored = ignored

    def ask_once(self, request: HostRequest) -> HostResponse:
        heard = {name: text for name, text in request.headers.items() if name != self.ignored}
        return super().ask_once(replace(request, headers=heard))


class UnderstatedOrigin(Origin):
    """An origin that is declared to lack a capability that it has."""

    cannot: ClassVar = {Capability.DATE_CONDITIONS: "declared by mistake"}


def compare_some(
    folder: Path, *addresses: str, ignored: str = "", host: Host | None = None
) -> Parity:
    """Ask everything about some documents; the origin ignores a header."""
    release = read_release(folder / "current")
    documents = tuple(release.by_address[address] for address in addresses)
    some = replace(release, documents=documents, redirects=())
    return compare_site(DeafOrigin(ignored), some, host)


def test_a_page_and_an_endpoint_answer_all_that_parity_asks(retired_site: Path) -> None:
    assert compare_some(retired_site, "/about", "/about.md", "/api/v1/team").differences == []


@pytest.mark.parametrize(
    ("ignored", "promised"),
    [
        ("If-None-Match", 304),
        ("If-Modified-Since", 304),
        ("If-Match", 412),
        ("If-Unmodified-Since", 412),
    ],
)
def test_a_server_that_ignores_a_condition_differs(
    ignored: str, promised: int, retired_site: Path
) -> None:
    differences = compare_some(retired_site, "/api/v1/team", ignored=ignored).differences

    assert f"status 200 instead of {promised}" in {check.fault for check in differences}
    assert {ignored in str(check.request) for check in differences} == {True}


@pytest.mark.parametrize(
    ("ignored", "understated"), [("", [Capability.DATE_CONDITIONS]), ("If-Modified-Since", [])]
)
def test_a_capability_is_understated_if_the_host_has_all_of_it(
    ignored: str, understated: list[Capability], retired_site: Path
) -> None:
    parity = compare_some(retired_site, "/api/v1/team", ignored=ignored, host=UnderstatedOrigin())

    assert (parity.differences, parity.understated) == ([], understated)
    assert parity.holds == (not understated)


def test_the_expiry_of_another_month_is_no_difference(small_site: Path) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=40), tick=False):
        assert find_differences(small_site, expect_bodies, "security.txt") == []


def test_an_edit_is_one_difference_of_each_document_that_shows_it(small_site: Path) -> None:
    member = TeamMember.objects.get()
    role = member.role_en
    for text in ("Another role", role):
        member.role_en = text
        member.save()
    date_changes()
    frozen = target_files.read_entries(small_site)["/about"]
    assert ask("/about")["Last-Modified"] != frozen.headers["Last-Modified"]
    assert find_differences(small_site, expect_bodies, "about|team") == []

    sites.edit_post("newer", excerpt_en="Another excerpt. It is shown.")
    differences = find_differences(small_site, expect_bodies, NO_REFERENCE)

    addresses = [line.partition(":")[0].removeprefix("GET ") for line in differences]
    assert {"/blog/newer", "/blog/newer.md", "/api/v1/posts", "/blog/feed.xml"} <= {*addresses}
    assert {"/about", "/api/v1/apps", "/blog/older"}.isdisjoint(addresses)
    assert len(addresses) == len({*addresses})
    assert {line.partition(": ")[2] for line in differences} == {"other content than the release's"}


def test_generated_at_has_its_place_in_every_body_of_the_api(retired_site: Path) -> None:
    bodies = {
        entry.address: json.loads(target_files.read_body(retired_site, entry))
        for entry in target_files.read_manifest(retired_site).documents
        if addresses.is_of_api(entry.address)
    }

    assert "generatedAt" not in bodies.pop("/openapi.json")
    assert [*bodies.pop("/api/v1/")][:4] == ["self", "apiVersion", "status", "generatedAt"]
    assert [*bodies.pop("/api/v1/health")] == ["status", "apiVersion", "generatedAt"]
    assert [*bodies["/api/v1/apps"]["meta"]][2:] == ["count", "generatedAt"]
    assert [*bodies["/api/v1/studio"]["meta"]][2:] == ["generatedAt"]
    assert {[*body["meta"]][-1] for body in bodies.values()} == {"generatedAt"}


def test_validators_and_lengths_are_those_of_the_frozen_files(site: Path) -> None:
    public = site / "current/public"
    for entry in target_files.read_manifest(site).documents:
        body = (public / entry.file).read_bytes()
        tag = hashlib.sha256(body).hexdigest()[:32]
        variants = [
            ("", entry.file, {}),
            *((v.encoding, v.file, v.headers) for v in entry.encodings),
        ]
        for encoding, file, headers in variants:
            stored, sent = (public / file).read_bytes(), {**entry.headers, **headers}
            assert DECODERS[encoding](stored) == body
            assert sent["Content-Length"] == str(len(stored))
            assert sent["ETag"] == (f'"{tag}-{encoding}"' if encoding else f'"{tag}"')
    assert target_files.list_discrepancies(site) == []


def test_every_former_address_redirects(small_site: Path) -> None:
    sites.rename_app_and_post()
    sites.freeze_into(small_site, sites.LATER)
    moved = {
        redirect.address: redirect.location.removeprefix("https://studio.example")
        for redirect in target_files.read_manifest(small_site).redirects
    }

    pages = {
        f"{language}/{kind}{suffix}": f"{language}/{kind}-renamed{suffix}"
        for language in ("", "/vi")
        for kind in ("apps/an-app", "blog/newer")
        for suffix in ("", ".md")
    }
    bodies = {
        f"/api/v1/{kind}{suffix}": f"/api/v1/{kind}-renamed"
        for kind in ("apps/an-app", "posts/newer")
        for suffix in ("", ".json")
    }
    pictures = {
        "/apps/an-app.png": "/apps/an-app-renamed.png",
        "/icons/an-app.svg": "/icons/an-app-renamed.svg",
        "/vi/blog/newer.png": "/vi/blog/newer-renamed.png",
    }
    assert moved == pages | bodies | pictures


def raise_fault(*call: Any) -> None:
    """Raise an error of the program: a lost database is a 503, which no snapshot has."""
    raise RuntimeError("A fault of the program.")


def provoke_error(scope: str, status: int) -> HttpResponse:
    """Send a request that fails with a status, and return the response."""
    below = "/api/v1/apps" if scope == "/api/" else f"{scope}about"
    if status == 404:
        return ask(f"{scope.replace('/api/', '/api/v1/')}nothing/is-here")
    if status == 405:
        return ask(below, "POST")
    if status == 400:
        return ask(below, HTTP_HOST="not the site's")
    if status == 412:
        return ask(below, HTTP_IF_MATCH='"another"')
    if status == 429:
        return ask_over_budget("/api/v1/health")
    with connection.execute_wrapper(raise_fault):
        return ask(below)


FAILURES = [
    *(("/", status) for status in (400, 404, 405, 412, 500)),
    *(("/api/", status) for status in (400, 404, 405, 412, 429, 500)),
    *(("/vi/", status) for status in (404, 405, 412)),
]


def test_a_frozen_error_is_the_live_one_without_its_instance(site: Path) -> None:
    errors = target_files.read_manifest(site).errors

    assert sorted((error.scope, error.status) for error in errors) == FAILURES
    for error in errors:
        frozen = (site / "current/errors" / error.file).read_bytes()
        live = provoke_error(error.scope, error.status)
        before, found, _ = live.content.partition(b',"instance"')
        assert (live.status_code, before + b"}\n" if found else before) == (error.status, frozen)
        assert {**live.headers, "Content-Length": str(len(frozen))} == error.headers
        if error.scope == "/api/":
            assert [*json.loads(frozen)] == ["type", "title", "status", "detail"]
