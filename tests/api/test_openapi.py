"""The OpenAPI document: its structure, its examples, and where it is published."""

import io
from datetime import timedelta
from functools import reduce
from operator import getitem
from typing import Any

import orjson
import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.throttling import BudgetThrottle
from catalogue.models import ApiVersion, App, Post, Studio
from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE, OPENAPI, ROOT
from tests.api.wsgi_client import call_application
from tests.live.public_answers import without_database

pytestmark = pytest.mark.usefixtures("content")

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


def test_the_document_is_valid_openapi(description: dict[str, Any]) -> None:
    assert description["openapi"].startswith("3.1.")
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []


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


def test_every_member_and_every_value_is_explained(description: dict[str, Any]) -> None:
    """Countries are the only enumeration without words: a standard explains them."""

    def is_explained(part: dict[str, Any]) -> bool:
        inner = part.get("items", part)
        values = inner.get("enum", [])
        return "VN" in values or [*inner.get("x-enumDescriptions", {})] == values

    schemas = description["components"]["schemas"]
    parts = {
        f"{owner}.{name}": part
        for owner, schema in schemas.items()
        for name, part in schema["properties"].items()
    }
    parameters = [
        parameter
        for operation in operations_by_id(description).values()
        for parameter in operation.get("parameters", ())
    ]
    headers = description["components"]["headers"].values()

    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [
        name
        for name, part in parts.items()
        if not (part.get("description") or resolve_reference(description, part).get("description"))
    ] == []
    assert [name for name, part in parts.items() if not is_explained(part)] == []
    for part in (*parameters, *headers):
        assert part["description"]
        assert is_explained(part["schema"]), part


def test_the_document_follows_each_edit_and_each_moment(get: Get) -> None:
    def listed_apps() -> Any:
        return get(OPENAPI).json()["components"]["schemas"]["App"]["properties"]["id"]["enum"]

    App.objects.exclude(slug="full-app").delete()
    moment = timezone.now() + timedelta(days=1)
    factories.make_app(slug="later", position=3, publish_at=moment)
    assert listed_apps() == ["full-app"]
    with time_machine.travel(moment + timedelta(seconds=1)):
        assert listed_apps() == ["full-app", "later"]

    App.objects.filter(slug="full-app").update(slug="renamed")

    assert listed_apps() == ["renamed"]


def test_the_examples_of_headers_and_problems_are_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
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
    with without_database():
        assert_is_sent(unavailable, f"{BASE}/apps")


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


def test_the_command_prints_the_served_document(get: Get) -> None:
    printed = io.StringIO()
    call_command("openapi", stdout=printed)

    assert printed.getvalue().encode() == get(OPENAPI).content


def test_the_document_of_an_empty_catalogue_is_valid(get: Get) -> None:
    for model in (App, Post, Studio, ApiVersion):
        model.objects.all().delete()
    description = get(OPENAPI).json()

    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []
    assert "enum" not in operations_by_id(description)["getApp"]["parameters"][0]["schema"]
