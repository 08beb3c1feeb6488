"""The schemas of the OpenAPI document accept all served bodies and reject invalid ones."""

from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from api.validation import NotInTheContract, body_validators, success_schema
from tests.api.broken_bodies import make_mutants
from tests.api.conftest import Answers
from tests.api.contract_shapes import SHAPES
from tests.api.endpoints import ENDPOINTS, OPENAPI, Endpoint

MOMENT = "2026-11-21T02:30:00Z"


@pytest.fixture(scope="module")
def description(answers: Answers) -> dict[str, Any]:
    return dict(answers[OPENAPI].json())


def add_moment(body: Any) -> Any:
    """Return a body with a moment, as in a snapshot."""
    changes = {"meta": body["meta"] | {"generatedAt": MOMENT}} if "meta" in body else {}
    return body | (changes or {"generatedAt": MOMENT})


@pytest.mark.parametrize("convert", [lambda body: body, add_moment], ids=["live", "frozen"])
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_two_validators_accept_a_served_body(
    answers: Answers, description: dict[str, Any], endpoint: Endpoint, convert: Any
) -> None:
    body = convert(answers[endpoint.example].json())
    paths = description["paths"].values()
    operation = next(p["get"] for p in paths if p["get"]["operationId"] == endpoint.operation)
    schema = success_schema(operation) | {"components": description["components"]}
    second_validator = OAS31Validator(schema, format_checker=OAS31Validator.FORMAT_CHECKER)

    body_validators(description)[endpoint.operation](body)
    assert list(second_validator.iter_errors(body)) == []


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_the_validator_rejects_a_body_that_breaks_the_contract(
    answers: Answers, description: dict[str, Any], endpoint: Endpoint
) -> None:
    validate = body_validators(description)[endpoint.operation]
    body = add_moment(answers[endpoint.example].json())
    count, accepted = 0, []
    for change, mutant in make_mutants(body, SHAPES[endpoint.operation]):
        count += 1
        try:
            validate(mutant)
        except NotInTheContract:
            continue
        accepted.append(change)

    assert accepted == []
    assert count > 15
