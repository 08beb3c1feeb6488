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

BUDGET_HEADERS = [f"RateLimit-{end}" for end in ("Policy", "Limit", "Remaining", "Reset")]
SUCCESS_HEADERS = {*BUDGET_HEADERS, "API-Version", "Cache-Control"}
VARYING_HEADERS = {"ETag", "Last-Modified", "Deprecation", "Sunset", "Link"}
"""Headers whose value depends on the document or on the content."""


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
    tags = [tag["name"] for tag in description["tags"]]
    for operation in operations_by_id(description).values():
        assert operation["tags"][0] in tags
        assert "requestBody" not in operation
        assert {parameter["in"] for parameter in operation.get("parameters", [])} <= {"path"}
        assert operation["summary"]
        assert operation["description"]
        assert operation["responses"]["200"]["content"]["application/json"]["example"]


def test_path_parameters_are_required_and_constrained(get: Get) -> None:
    factories.make_app(slug="another-app", position=3)
    factories.make_app(slug="a-draft", state="draft")
    description = get(OPENAPI).json()
    found, schemas = operations_by_id(description), description["components"]["schemas"]
    (app,), (post,) = found["getApp"]["parameters"], found["getPost"]["parameters"]
    ids = ["bare-app", "full-app", "another-app"]

    assert (app["name"], app["required"], app["schema"]["enum"]) == ("appId", True, ids)
    assert schemas["App"]["properties"]["id"]["enum"] == ids
    assert schemas["ScienceTopic"]["properties"]["apps"]["items"]["enum"] == ids
    assert (post["name"], post["required"]) == ("slug", True)
    assert post["schema"] == {"type": "string", "pattern": "^[a-z0-9-]+$"}


def test_every_operation_documents_its_success_and_its_problems(
    description: dict[str, Any],
) -> None:
    components = description["components"]
    headers = [list(answer["headers"]) for answer in components["responses"].values()]
    lifecycle, origin = ["Deprecation", "Sunset", "Link"], "Access-Control-Allow-Origin"

    assert headers[0] == ["Cache-Control", origin, *lifecycle]
    assert headers[1] == ["Cache-Control", origin, *lifecycle, "Retry-After", *BUDGET_HEADERS]
    assert headers[2] == ["Cache-Control", origin, "Retry-After"]
    for operation in operations_by_id(description).values():
        assert operation["responses"]["200"]["headers"].keys() >= SUCCESS_HEADERS
        answers = {
            status: resolve_reference(description, answer)
            for status, answer in operation["responses"].items()
        }

        assert list(answers) == ["200", "404", "429", "503"]
        assert list(answers.pop("200")["content"]) == ["application/json"]
        for answer in answers.values():
            assert list(answer["content"]) == ["application/problem+json"]


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


def test_every_component_is_used_and_has_no_keywords_of_other_versions(
    description: dict[str, Any],
) -> None:
    mappings = [part for part in walk_parts(description) if isinstance(part, dict)]
    defined = {
        f"#/components/{kind}/{name}"
        for kind, parts in description["components"].items()
        for name in parts
    }

    assert {part["$ref"] for part in mappings if "$ref" in part} == defined
    names = {str(name) for part in mappings for name in part}
    assert [name for name in names if name == "nullable" or name.startswith("x-")] == []


def test_every_example_conforms_to_its_schema(description: dict[str, Any]) -> None:
    answers = [
        resolve_reference(description, answer)
        for operation in operations_by_id(description).values()
        for answer in operation["responses"].values()
    ]
    contents = [content for answer in answers for content in answer["content"].values()]
    for part in (*contents, *description["components"]["headers"].values()):
        schema = part["schema"] | {"components": description["components"]}
        checker = OAS31Validator(schema, format_checker=OAS31Validator.FORMAT_CHECKER)

        assert list(checker.iter_errors(part["example"])) == []


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
