"""API bodies and headers are what the OpenAPI document says, and none is missing."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from api.envelope import Items
from api.headers import document_headers
from api.schema import openapi
from catalogue.models import Studio
from site_mirror import freezing
from site_mirror.families import endpoint, fixed
from site_mirror.listed import Listings
from tests.gates.breaking import (
    changed_family,
    refused,
    rewritten,
    with_family,
    without_family,
)


def test_a_body_that_only_the_contract_refuses_is_named(site: Path) -> None:
    Studio.objects.update(email="not@@mail")

    told = refused(site)

    [failure] = told.failures("contract")
    assert failure.startswith("/api/v1/studio does not keep the contract at /data/email: ")
    assert (told.code, told.failed) == (1, {"contract"})
    assert "1 of 10 gates failed" in told.message


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"RateLimit-Limit": None}, "lacks the header RateLimit-Limit"),
        ({"RateLimit-Limit": "500"}, "has the header RateLimit-Limit: 500, not 600"),
        ({"RateLimit-Reset": "soon"}, "has the header RateLimit-Reset: soon, which is no number"),
        ({"API-Version": "one"}, "has the header API-Version: one, which its schema refuses"),
        ({"API-Version": "1.0.1"}, "has the header API-Version: 1.0.1, not 1.0.0"),
        ({"Cache-Control": None}, "lacks the header Cache-Control"),
    ],
)
def test_a_header_that_is_not_as_it_was_stated_is_named(
    changes: dict[str, str | None], said: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def headers(family: Any) -> Any:
        changed = {**document_headers(), **changes}
        sent = {name: value for name, value in changed.items() if value is not None}
        return replace(family, headers=lambda context, address: sent)

    changed_family(monkeypatch, "listTeam", headers)

    assert refused(site).failures("contract") == (f"/api/v1/team {said}",)


def test_another_media_type_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed_family(monkeypatch, "listTeam", lambda it: replace(it, media_type="text/json"))

    [failure] = refused(site).failures("contract")

    assert failure == "/api/v1/team is text/json, and the contract says application/json"


def test_an_operation_without_its_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_family(monkeypatch, "listTeam")

    assert refused(site).failures("coverage") == (
        "listTeam has 0 documents, not one, at /api/v1/team",
    )


def test_an_item_of_a_list_without_its_document_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Listings.items

    def twice(listings: Listings, family: str) -> Items:
        items = whole(listings, family)
        return Items([*items.groups, *items.groups], 2 * items.count)

    monkeypatch.setattr(Listings, "items", twice)

    [failure] = refused(site).failures("coverage")

    assert failure == "getPost has 12 documents, and /api/v1/posts lists 24"


def test_an_api_document_of_no_operation_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_family(monkeypatch, endpoint("listSecrets", "", "/api/v1/secrets", fixed(dict)))

    assert refused(site).failures("contract") == (
        "/api/v1/secrets belongs to no operation of the OpenAPI document",
    )


def test_a_document_that_says_it_is_another_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another(body: Any) -> Any:
        return body | {"self": body["self"].replace("/team", "/studio")}

    rewritten(monkeypatch, "listTeam", another)

    [failure] = refused(site).failures("links")

    assert failure.startswith("/api/v1/team says that it is ")


def test_the_body_of_an_error_keeps_the_contract_too(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.freezing.problem_body", lambda site, status: b'{"status":404}')

    failures = refused(site).failures("contract")

    assert len(failures) == len(freezing.PROBLEMS)
    assert failures[0].startswith("the body of a 400 below /api/ is no application/problem+json")


def test_the_body_of_an_error_tells_its_own_status(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = freezing.problem_body
    monkeypatch.setattr(
        "site_mirror.freezing.problem_body", lambda site, status: whole(site, HTTPStatus.NOT_FOUND)
    )

    failures = refused(site).failures("contract")

    assert sorted(failures) == [
        f"the body of a {int(status)} below /api/ says that its status is 404"
        for status in freezing.PROBLEMS
        if status != HTTPStatus.NOT_FOUND
    ]


def test_documents_that_are_taken_over_keep_the_contract_of_today(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document whose content did not change is read again when its schema did."""

    def stricter(at: Any, outline: bytes | None) -> Any:
        description = orjson.loads(orjson.dumps(openapi(at, outline)))
        description["info"]["version"] = "2.0.0"
        description["components"]["schemas"]["TeamMember"]["properties"]["handle"]["maxLength"] = 2
        return description

    monkeypatch.setattr("site_mirror.described.openapi", stricter)

    failures = refused(site).failures("contract")

    assert [words.partition(":")[0] for words in failures] == [
        "/api/v1/team does not keep the contract at /data/0/handle",
    ]
