"""The contract gate compares API bodies and headers with the OpenAPI document."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from api.envelope import Items
from api.headers import document_headers
from api.problems import problem_body
from api.schema import openapi_description
from catalogue.models import Studio
from site_mirror.documents.built import Built
from site_mirror.freeze.site import API_ERROR_STATUSES
from site_mirror.registry.families import endpoint_family, fixed_renderer
from tests.gates.broken_families import (
    add_family,
    change_family,
    remove_family,
    rewrite_bodies,
    run_refused_freeze,
)


def test_a_body_that_only_the_contract_refuses_is_named(site: Path) -> None:
    Studio.objects.update(email="not@@mail")

    refused = run_refused_freeze(site)

    [failure] = refused.failures("contract")
    assert failure.startswith("/api/v1/studio does not keep the contract at /data/email: ")
    assert (refused.code, refused.failed) == (1, {"contract"})
    assert "1 of 10 gates failed" in refused.message


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"RateLimit-Limit": None}, "lacks the header RateLimit-Limit"),
        ({"RateLimit-Limit": "500"}, "has the header RateLimit-Limit: 500, not 600"),
        (
            {"RateLimit-Reset": "soon"},
            "has the header RateLimit-Reset: soon, which is not a number",
        ),
        ({"API-Version": "one"}, "has the header API-Version: one, which its schema refuses"),
        ({"API-Version": "1.0.1"}, "has the header API-Version: 1.0.1, not 1.0.0"),
        ({"Cache-Control": None}, "lacks the header Cache-Control"),
    ],
)
def test_a_header_that_differs_from_the_contract_is_named(
    changes: dict[str, str | None], said: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def headers(family: Any) -> Any:
        changed = {**document_headers(), **changes}
        sent = {name: value for name, value in changed.items() if value is not None}
        return replace(family, headers=lambda context, address: sent)

    change_family(monkeypatch, "listTeam", headers)

    assert run_refused_freeze(site).failures("contract") == (f"/api/v1/team {said}",)


@pytest.mark.slow
def test_another_media_type_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_family(monkeypatch, "listTeam", lambda it: replace(it, media_type="text/json"))

    [failure] = run_refused_freeze(site).failures("contract")

    assert failure == "/api/v1/team is text/json, and the contract says application/json"


@pytest.mark.slow
def test_an_operation_without_its_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_family(monkeypatch, "listTeam")

    assert run_refused_freeze(site).failures("coverage") == (
        "listTeam has 0 documents, not one, at /api/v1/team",
    )


@pytest.mark.slow
def test_an_item_of_a_list_without_its_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Built.items_of

    def twice(built: Built, family: str) -> Items:
        items = whole(built, family)
        return Items([*items.groups, *items.groups], 2 * items.count)

    monkeypatch.setattr(Built, "items_of", twice)

    [failure] = run_refused_freeze(site).failures("coverage")

    assert failure == "getPost has 12 documents, and /api/v1/posts lists 24"


@pytest.mark.slow
def test_an_api_document_of_no_operation_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_family(
        monkeypatch, endpoint_family("listSecrets", "", "/api/v1/secrets", fixed_renderer(dict))
    )

    assert run_refused_freeze(site).failures("contract") == (
        "/api/v1/secrets belongs to no operation of the OpenAPI document",
    )


def test_a_body_with_the_self_link_of_another_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another(body: Any) -> Any:
        return body | {"self": body["self"].replace("/team", "/studio")}

    rewrite_bodies(monkeypatch, "listTeam", another)

    [failure] = run_refused_freeze(site).failures("links")

    assert failure.startswith("/api/v1/team says that it is ")


def test_an_error_body_that_breaks_the_contract_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "site_mirror.freeze.site.problem_body", lambda site, status: b'{"status":404}'
    )

    failures = run_refused_freeze(site).failures("contract")

    assert len(failures) == len(API_ERROR_STATUSES)
    assert failures[0].startswith(
        "the body of a 400 below /api/ is not an application/problem+json"
    )


def test_an_error_body_with_another_status_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "site_mirror.freeze.site.problem_body",
        lambda site, status: problem_body(site, HTTPStatus.NOT_FOUND),
    )

    failures = run_refused_freeze(site).failures("contract")

    assert sorted(failures) == [
        f"the body of a {int(status)} below /api/ says that its status is 404"
        for status in API_ERROR_STATUSES
        if status != HTTPStatus.NOT_FOUND
    ]


@pytest.mark.slow
def test_reused_documents_are_checked_against_a_changed_schema(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document with unchanged content is checked again when its schema changed."""

    def stricter(at: Any, outline: bytes) -> Any:
        description = orjson.loads(orjson.dumps(openapi_description(at, outline)))
        description["info"]["version"] = "2.0.0"
        description["components"]["schemas"]["TeamMember"]["properties"]["handle"]["maxLength"] = 2
        return description

    monkeypatch.setattr("site_mirror.documents.openapi.openapi_description", stricter)

    refused = run_refused_freeze(site)

    assert refused.gates["contract"].held > 100
    assert [words.partition(":")[0] for words in refused.failures("contract")] == [
        "/api/v1/team does not keep the contract at /data/0/handle",
    ]
