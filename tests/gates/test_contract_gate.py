"""The contract gate compares API bodies and headers with the OpenAPI document."""

import re
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
from msgspec.structs import replace

from api.contract import API_VERSION
from api.envelope import Body, join_items
from api.problems import problem_body
from catalogue.addresses import Site
from catalogue.models import Studio
from site_mirror.freeze.site import API_ERROR_STATUSES
from site_mirror.registry import table
from site_mirror.registry.families import api_family
from tests.gates.broken_families import (
    change_family,
    change_headers,
    remove_family,
    run_refused_freeze,
    set_families,
)

HEADERS: dict[str, tuple[str, dict[str, str | None]]] = {
    '/api/v1/team: /headers: "RateLimit-Limit" is a required property': (
        ("listTeam", {"RateLimit-Limit": None})
    ),
    '/api/v1/apps: /headers/RateLimit-Limit: "600" was expected': (
        ("listApps", {"RateLimit-Limit": "500"})
    ),
    '/api/v1/posts: /headers/RateLimit-Reset: "60" was expected': (
        ("listPosts", {"RateLimit-Reset": "soon"})
    ),
    f'/api/v1/principles: /headers/API-Version: "{API_VERSION}" was expected': (
        ("listPrinciples", {"API-Version": "1.0.1"})
    ),
    '/api/v1/timeline: /headers: "Cache-Control" is a required property': (
        ("listTimeline", {"Cache-Control": None})
    ),
    '/api/v1/stats: /headers/Access-Control-Allow-Origin: "x" is not one of "*"': (
        ("listStats", {"Access-Control-Allow-Origin": "x"})
    ),
}
"""What the gate says, with an operation and its wrong headers."""


def test_a_header_that_differs_from_the_contract_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, changes in HEADERS.values():
        change_headers(monkeypatch, name, lambda headers, changes=changes: headers | changes)
    change_family(monkeypatch, "listVersions", partial(replace, media_type="text/json"))

    failures = run_refused_freeze(site).failures("contract")

    assert sorted(failures) == sorted(
        [
            *(said.replace(": ", " does not keep the contract at ", 1) for said in HEADERS),
            "/api/v1/versions is text/json, and the contract says application/json",
        ]
    )


def test_an_operation_without_its_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an item of a list nor a document of no operation passes."""

    def twice(body: Body, items: Sequence[bytes]) -> Body:
        return join_items(body, [*items, *items])

    monkeypatch.setattr("site_mirror.registry.families.join_items", twice)
    remove_family(monkeypatch, "listTeam")
    secrets = api_family("listSecrets", "/api/v1/secrets", lambda *words: {})
    set_families(monkeypatch, (*table.FAMILIES, secrets))

    refused = run_refused_freeze(site)

    assert {*refused.failures("coverage")} == {
        "listTeam has 0 documents, not one, at /api/v1/team",
        "getPost has 12 documents, and /api/v1/posts lists 24",
    }
    assert refused.failures("contract") == (
        "/api/v1/secrets belongs to no operation of the OpenAPI document",
    )


def test_a_body_that_only_the_contract_refuses_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document has a wrong member, a 400 too few members; all other errors tell of a 404."""
    Studio.objects.update(email="not@@mail")

    def body(site: Site, status: HTTPStatus) -> bytes:
        return b'{"status":404}' if status == 400 else problem_body(site, HTTPStatus.NOT_FOUND)

    monkeypatch.setattr("site_mirror.freeze.site.problem_body", body)

    refused = run_refused_freeze(site)

    studio, malformed, *others = sorted(refused.failures("contract"))
    assert studio.startswith("/api/v1/studio does not keep the contract at /data/email: ")
    assert malformed.startswith("the body of a 400 below /api/ is not an application/problem+json")
    assert (refused.code, refused.failed) == (1, {"contract"})
    assert re.search("1 of [0-9]+ gates failed", refused.message)
    assert others == [
        f"the body of a {int(status)} below /api/ says that its status is 404"
        for status in API_ERROR_STATUSES
        if status not in {400, 404}
    ]
