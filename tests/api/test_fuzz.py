"""Schemathesis sends requests that the OpenAPI document allows, and requests that it forbids."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.schemas import APIOperation

from api.throttling import BudgetThrottle
from site_mirror.wsgi import application
from tests.api.endpoints import ENDPOINTS, ITEMS, OPENAPI, Endpoint
from tests.api.wsgi_client import keep_connection

pytestmark = pytest.mark.usefixtures("content")

HEADERS = {"Host": "studio.example", "Accept-Encoding": "identity"}
MODES = [
    *((endpoint, GenerationMode.POSITIVE) for endpoint in ENDPOINTS),
    *((endpoint, GenerationMode.NEGATIVE) for endpoint in ITEMS),
]


@pytest.fixture
def operations(content: object, monkeypatch: pytest.MonkeyPatch) -> dict[str, APIOperation]:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": None})
    load_all_checks()
    with keep_connection():
        description = schemathesis.openapi.from_wsgi(OPENAPI, application)
    found = (result.ok() for result in description.get_all_operations())
    return {operation.definition.raw["operationId"]: operation for operation in found}


@pytest.mark.parametrize(("endpoint", "mode"), MODES, ids=str)
def test_responses_to_random_requests_conform_to_the_document(
    operations: dict[str, APIOperation], endpoint: Endpoint, mode: GenerationMode
) -> None:
    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=HealthCheck)
    @given(case=operations[endpoint.operation].as_strategy(mode))
    def validate(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=HEADERS)

    with keep_connection():
        validate()


def test_schemathesis_has_the_important_checks() -> None:
    load_all_checks()

    assert {"not_a_server_error", "response_schema_conformance", "status_code_conformance"} <= set(
        CHECKS.get_all_names()
    )
