"""The OpenAPI document accepts what is served, and nothing that the contract forbids."""

from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from api.validation import NotInTheContract, success_schema, validators
from tests.api.conftest import Answers
from tests.api.endpoints import ENDPOINTS, OPENAPI, Endpoint
from tests.api.mutants import mutants
from tests.api.shapes import SHAPES

STAMP = "2026-11-21T02:30:00Z"


@pytest.fixture(scope="module")
def description(answers: Answers) -> dict[str, Any]:
    return dict(answers[OPENAPI].json())


def frozen(body: Any) -> Any:
    """A body as a snapshot has it, with the moment of its making."""
    stamped = {"meta": body["meta"] | {"generatedAt": STAMP}} if "meta" in body else {}
    return body | (stamped or {"generatedAt": STAMP})


@pytest.mark.parametrize("stamp", [lambda body: body, frozen], ids=["live", "frozen"])
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_what_is_served_is_accepted_by_two_engines(
    answers: Answers, description: dict[str, Any], endpoint: Endpoint, stamp: Any
) -> None:
    body = stamp(answers[endpoint.example].json())
    paths = description["paths"].values()
    operation = next(p["get"] for p in paths if p["get"]["operationId"] == endpoint.operation)
    schema = success_schema(operation) | {"components": description["components"]}
    second = OAS31Validator(schema, format_checker=OAS31Validator.FORMAT_CHECKER)

    validators(description)[endpoint.operation](body)
    assert list(second.iter_errors(body)) == []


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_what_the_contract_forbids_is_rejected(
    answers: Answers, description: dict[str, Any], endpoint: Endpoint
) -> None:
    validate = validators(description)[endpoint.operation]
    body = frozen(answers[endpoint.example].json())
    tried, accepted = 0, []
    for what, mutant in mutants(body, SHAPES[endpoint.operation]):
        tried += 1
        try:
            validate(mutant)
        except NotInTheContract:
            continue
        accepted.append(what)

    assert accepted == []
    assert tried > 15
