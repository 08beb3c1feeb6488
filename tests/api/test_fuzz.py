"""Schemathesis sends requests that the OpenAPI document allows, and requests that it forbids."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.schemas import APIOperation

from api.throttling import BudgetThrottle
from site_mirror.wsgi import application
from tests.api.endpoints import ENDPOINTS, ITEMS, OPENAPI, Endpoint
from tests.api.wsgi_client import keep_connection

pytestmark = pytest.mark.usefixtures("db", "stored_content")

HEADERS = {"Host": "studio.example", "Accept-Encoding": "identity"}
MODES = [
    *((endpoint, GenerationMode.POSITIVE) for endpoint in ENDPOINTS),
    *((endpoint, GenerationMode.NEGATIVE) for endpoint in ITEMS),
]


@pytest.fixture(scope="module")
def operations(stored_content: object) -> Iterator[dict[str, APIOperation]]:
    """The operations of an application without a budget."""
    load_all_checks()
    unlimited = patch.object(BudgetThrottle, "THROTTLE_RATES", {"budget": None})
    with unlimited, keep_connection():
        description = schemathesis.openapi.from_wsgi(OPENAPI, application)
        found = (result.ok() for result in description.get_all_operations())
        yield {operation.definition.raw["operationId"]: operation for operation in found}


@pytest.mark.parametrize(
    "examples",
    [5, pytest.param(25, marks=pytest.mark.exhaustive("sends many and other requests every time"))],
)
@pytest.mark.parametrize(("endpoint", "mode"), MODES, ids=str)
def test_responses_to_random_requests_conform_to_the_document(
    operations: dict[str, APIOperation],
    endpoint: Endpoint,
    mode: GenerationMode,
    examples: int,
) -> None:
    @settings(max_examples=examples, suppress_health_check=HealthCheck)
    @given(case=operations[endpoint.operation].as_strategy(mode))
    def validate(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=HEADERS)

    validate()
