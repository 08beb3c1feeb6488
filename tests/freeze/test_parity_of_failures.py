"""The manifest has all redirects, and the errors of the live origin."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse

from site_mirror.snapshot.entries import ErrorBody
from tests.freeze import sites, target_files
from tests.freeze.live_requests import ask, ask_over_budget, compare_headers


def test_every_former_address_redirects(small_site: Path) -> None:
    sites.rename_app_and_post()
    sites.freeze_into(small_site, sites.LATER)
    moved = {
        redirect.address: redirect.location
        for redirect in target_files.read_manifest(small_site).redirects
    }

    assert moved == {
        former: f"https://studio.example{today}"
        for former, today in {
            "/api/v1/apps/an-app": "/api/v1/apps/an-app-renamed",
            "/api/v1/apps/an-app.json": "/api/v1/apps/an-app-renamed",
            "/api/v1/posts/newer": "/api/v1/posts/newer-renamed",
            "/api/v1/posts/newer.json": "/api/v1/posts/newer-renamed",
            "/apps/an-app": "/apps/an-app-renamed",
            "/apps/an-app.md": "/apps/an-app-renamed.md",
            "/vi/apps/an-app": "/vi/apps/an-app-renamed",
            "/vi/apps/an-app.md": "/vi/apps/an-app-renamed.md",
            "/blog/newer": "/blog/newer-renamed",
            "/blog/newer.md": "/blog/newer-renamed.md",
            "/vi/blog/newer": "/vi/blog/newer-renamed",
            "/vi/blog/newer.md": "/vi/blog/newer-renamed.md",
            "/icons/an-app.svg": "/icons/an-app-renamed.svg",
        }.items()
    }


def provoke_error(scope: str, status: int) -> HttpResponse:
    """Send a request that fails with a status, and return the response."""
    below = "/api/v1/apps" if scope == "/api/" else "/about"
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


def raise_fault(*call: Any) -> None:
    """Raise an error of the program: a lost database is a 503, which no snapshot has."""
    raise RuntimeError("A fault of the program.")


FAILURES = [("/api/", status) for status in (400, 404, 405, 412, 429, 500)] + [
    ("/", status) for status in (400, 404, 405, 412, 500)
]


def test_the_manifest_has_a_body_for_each_status_of_an_error(site: Path) -> None:
    errors = target_files.read_manifest(site).errors

    assert [(error.scope, error.status) for error in errors] == FAILURES


@dataclass(frozen=True)
class Failure:
    """An error of the manifest, its body, and the live response with the same status."""

    error: ErrorBody
    frozen: bytes
    live: HttpResponse


@pytest.fixture(params=FAILURES, ids=lambda failure: "{}{}".format(*failure))
def failure(request: pytest.FixtureRequest, site: Path) -> Failure:
    error = next(
        error
        for error in target_files.read_manifest(site).errors
        if (error.scope, error.status) == request.param
    )
    frozen = (site / "current/errors" / error.file).read_bytes()
    return Failure(error, frozen, provoke_error(*request.param))


def test_a_frozen_error_is_the_live_one_without_its_instance(failure: Failure) -> None:
    live = (failure.live.status_code, remove_instance(failure.live.content))
    length = {"Content-Length": str(len(failure.frozen))}

    assert live == (failure.error.status, failure.frozen)
    assert compare_headers({**failure.live.headers, **length}, dict(failure.error.headers)) == {}


def remove_instance(body: bytes) -> bytes:
    before, found, _ = body.partition(b',"instance"')
    return before + b"}\n" if found else body


def test_a_frozen_problem_has_no_instance(site: Path) -> None:
    problems = [
        json.loads((site / "current/errors" / error.file).read_bytes())
        for error in target_files.read_manifest(site).errors
        if error.scope == "/api/"
    ]

    assert {tuple(problem) for problem in problems} == {("type", "title", "status", "detail")}
