"""The OpenAPI document: its structure, its examples, and where it is published."""

import io
from functools import reduce
from operator import getitem
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone
from jsonschema import validators
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.contract import API_VERSION
from api.throttling import BudgetThrottle
from catalogue.addresses import Site
from catalogue.models import ApiVersion, App, Post, Studio
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ENDPOINTS, OPENAPI, ROOT
from tests.api.wsgi_client import call_application

pytestmark = pytest.mark.usefixtures("content")

SUCCESS_HEADERS = {
    "RateLimit-Policy",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "API-Version",
    "Cache-Control",
}
VARYING_HEADERS = {"ETag", "Last-Modified", "Deprecation", "Sunset", "Link"}
"""Headers whose value depends on the document or on the content."""
REFUSAL_HEADERS = {name for name in SUCCESS_HEADERS if name.startswith("RateLimit")} | {
    "Retry-After"
}


@pytest.fixture
def description(get: Get, content: object) -> dict[str, Any]:
    return dict(get(OPENAPI).json())


def operations_by_id(description: dict[str, Any]) -> dict[str, Any]:
    return {
        operation["operationId"]: operation
        for path in description["paths"].values()
        for operation in path.values()
    }


def resolve_reference(description: dict[str, Any], part: dict[str, Any]) -> Any:
    if "$ref" not in part:
        return part
    return reduce(getitem, part["$ref"].removeprefix("#/").split("/"), description)


def walk_parts(part: Any) -> Any:
    yield part
    children = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for child in children:
        yield from walk_parts(child)


def test_the_document_is_valid_openapi(description: dict[str, Any]) -> None:
    assert description["openapi"].startswith("3.1.")
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []


def test_the_operations_are_those_of_the_contract(description: dict[str, Any]) -> None:
    found = {
        (method, path): operation["operationId"]
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }

    assert found == {
        ("get", endpoint.template.removeprefix(BASE)): endpoint.operation for endpoint in ENDPOINTS
    }
    for operation in operations_by_id(description).values():
        assert "requestBody" not in operation
        assert {parameter["in"] for parameter in operation.get("parameters", [])} <= {"path"}
        assert operation["summary"]
        assert operation["description"]
        assert operation["responses"]["200"]["content"]["application/json"]["example"]


def test_path_parameters_are_required_and_constrained(description: dict[str, Any]) -> None:
    found = operations_by_id(description)
    (app,), (post,) = found["getApp"]["parameters"], found["getPost"]["parameters"]

    assert (app["name"], app["required"]) == ("appId", True)
    assert app["schema"]["enum"] == ["bare-app", "full-app"]
    assert (post["name"], post["required"]) == ("slug", True)
    assert post["schema"] == {"type": "string", "pattern": "^[a-z0-9-]+$"}


def test_the_ids_are_those_of_the_published_apps(get: Get) -> None:
    factories.make_app(slug="another-app", position=3)
    factories.make_app(slug="a-draft", state="draft")
    schemas = get(OPENAPI).json()["components"]["schemas"]

    assert schemas["App"]["properties"]["id"]["enum"] == ["bare-app", "full-app", "another-app"]


def test_every_operation_documents_its_success_and_its_problems(
    description: dict[str, Any],
) -> None:
    for operation in operations_by_id(description).values():
        answers = {
            status: resolve_reference(description, answer)
            for status, answer in operation["responses"].items()
        }

        assert list(answers) == ["200", "404", "429", "503"]
        assert list(answers["200"]["content"]) == ["application/json"]
        assert list(answers["404"]["content"]) == ["application/problem+json"]
        assert list(answers["429"]["content"]) == ["application/problem+json"]
        assert answers["200"]["headers"].keys() >= SUCCESS_HEADERS
        assert answers["429"]["headers"].keys() >= REFUSAL_HEADERS
        assert list(answers["503"]["content"]) == ["application/problem+json"]
        assert list(answers["503"]["headers"]) == [
            "Cache-Control",
            "Access-Control-Allow-Origin",
            "Retry-After",
        ]


def test_the_examples_of_headers_and_problems_are_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OperationalError("no route to host")

    def assert_is_sent(documented: dict[str, Any], address: str) -> None:
        answer = call_application("GET", address)
        for name, header in documented["headers"].items():
            if name not in VARYING_HEADERS:
                example = resolve_reference(description, header)["example"]
                assert answer.headers[name.lower()] == str(example)
        if problem := documented["content"].get("application/problem+json"):
            assert problem["example"] | {"instance": ROOT + address} == orjson.loads(answer.body)

    for path, item in description["paths"].items():
        if "{" not in path:
            assert_is_sent(item["get"]["responses"]["200"], f"{BASE}{path}")
    missing, limited, unavailable = description["components"]["responses"].values()
    assert_is_sent(missing, f"{BASE}/nothing")
    with monkeypatch.context() as patch:
        patch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"})
        assert_is_sent(limited, f"{BASE}/apps")
    with connection.execute_wrapper(fail):
        assert_is_sent(unavailable, f"{BASE}/apps")


def test_the_document_has_licence_version_server_and_no_security(
    description: dict[str, Any],
) -> None:
    assert description["info"]["license"] == {"name": "CC BY 4.0", "identifier": "CC-BY-4.0"}
    assert description["info"]["version"] == API_VERSION
    assert description["servers"][0]["url"] == f"{ROOT}{BASE}"
    assert description["security"] == []
    assert "securitySchemes" not in description["components"]


def test_the_document_has_no_keywords_of_other_versions(description: dict[str, Any]) -> None:
    mappings = [part for part in walk_parts(description["components"]) if isinstance(part, dict)]

    assert not [part for part in mappings if "nullable" in part]
    assert not [name for part in mappings for name in part if str(name).startswith("x-")]


def test_every_schema_is_used(description: dict[str, Any]) -> None:
    used = {
        part["$ref"]
        for part in walk_parts(description)
        if isinstance(part, dict) and "$ref" in part
    }
    defined = {
        f"#/components/{kind}/{name}"
        for kind, parts in description["components"].items()
        for name in parts
    }

    assert used == defined


def test_every_example_conforms_to_its_schema(description: dict[str, Any]) -> None:
    for operation in operations_by_id(description).values():
        for answer in operation["responses"].values():
            for content in resolve_reference(description, answer)["content"].values():
                schema = content["schema"] | {"components": description["components"]}
                checker = OAS31Validator(schema, format_checker=OAS31Validator.FORMAT_CHECKER)

                assert list(checker.iter_errors(content["example"])) == []


def test_every_header_example_conforms_to_its_schema(description: dict[str, Any]) -> None:
    for header in description["components"]["headers"].values():
        checker = validators.validator_for(header["schema"], OAS31Validator)(header["schema"])

        assert list(checker.iter_errors(header["example"])) == []


def test_the_command_and_the_registry_return_the_served_bytes(get: Get) -> None:
    printed = io.StringIO()
    call_command("openapi", stdout=printed)
    context = context_at(Site(settings.SITE_ROOT), timezone.now())
    family = next(family for family in table.FAMILIES if family.template == OPENAPI)
    (document,) = family.documents(context)
    served = get(OPENAPI).content

    assert printed.getvalue().encode() == served
    assert document.body() == served
    assert document.body("2026-11-21T00:00:00Z") == served


def test_the_document_of_an_empty_catalogue_is_valid(get: Get) -> None:
    for model in (App, Post, Studio, ApiVersion):
        model.objects.all().delete()
    description = get(OPENAPI).json()

    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []
    assert "enum" not in operations_by_id(description)["getApp"]["parameters"][0]["schema"]
