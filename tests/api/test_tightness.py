"""The schemas of the OpenAPI document accept served bodies and reject invalid ones."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.validation import NotInTheContract, body_validators
from tests.api.conftest import Answers
from tests.api.contract_shapes import INVALID_VALUES, SHAPES, Shape
from tests.api.endpoints import ENDPOINTS, OPENAPI, Endpoint

MOMENT = "2026-11-21T02:30:00Z"


@pytest.fixture(scope="module")
def description(stored_answers: Answers) -> dict[str, Any]:
    return dict(stored_answers[OPENAPI].json())


def add_moment(body: Any) -> Any:
    """Return a body with a moment, as in a snapshot."""
    changes = {"meta": body["meta"] | {"generatedAt": MOMENT}} if "meta" in body else {}
    return body | (changes or {"generatedAt": MOMENT})


def make_mutants(body: Any, shape: Shape) -> Iterator[tuple[str, Any]]:
    """Yield a description and a body for each way to make one member invalid."""
    yield from ((f"{value!r}", value) for value in invalid_values(shape))
    if isinstance(shape, dict):
        yield "an unknown member", body | {"surprise": 1}
        for name, part in shape.items():
            member = name.rstrip("?")
            if name == member:
                yield f"no {member}", {key: body[key] for key in body if key != member}
            if member in body:
                for change, value in make_mutants(body[member], part):
                    yield f"{member}: {change}", body | {member: value}
    elif isinstance(shape, list):
        for number, item in enumerate(body):
            for change, value in make_mutants(item, shape[0]):
                yield f"{number}: {change}", [*body[:number], value, *body[number + 1 :]]


def invalid_values(shape: Shape) -> tuple[Any, ...]:
    if isinstance(shape, dict | list):
        return (None, [] if isinstance(shape, dict) else {}, "text", 1)
    if isinstance(shape, tuple):
        return ("nonsense", shape[0].swapcase(), "", None, 1, [shape[0]])
    return INVALID_VALUES[shape]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_the_validator_accepts_a_served_body_and_rejects_each_broken_one(
    stored_answers: Answers, description: dict[str, Any], endpoint: Endpoint
) -> None:
    validate = body_validators(description)[endpoint.operation]
    live = stored_answers[endpoint.example].json()
    body = add_moment(live)
    validate(live)
    validate(body)
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
