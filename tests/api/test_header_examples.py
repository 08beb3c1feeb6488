"""Each example of a header in the OpenAPI document is the header that the status really has."""

from http import HTTPStatus
from typing import Any

import pytest
from django.db import OperationalError

from api.contract import BUDGET
from api.throttling import BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import BASE, OPENAPI
from tests.api.wire import call

pytestmark = pytest.mark.usefixtures("content")

CHANGING = {"ETag", "Last-Modified", "Deprecation", "Sunset", "Link"}
"""Headers whose value depends on the document or on the content."""


@pytest.fixture
def description(get: Get) -> dict[str, Any]:
    return dict(get(OPENAPI).json())


def examples(description: dict[str, Any], answer: dict[str, Any]) -> dict[str, str]:
    """The examples of a response's headers, in lower case as they are sent."""
    documented = description["components"]["headers"]
    return {
        name.lower(): str(documented[header["$ref"].rpartition("/")[2]]["example"])
        for name, header in answer["headers"].items()
        if name not in CHANGING
    }


def sent(path: str) -> dict[str, str]:
    return {name.lower(): value for name, value in call("GET", path).headers.items()}


def test_the_example_of_a_200_is_what_each_operation_sends(description: dict[str, Any]) -> None:
    for path, item in description["paths"].items():
        if "{" in path or path == OPENAPI:
            continue
        documented = examples(description, item["get"]["responses"]["200"])

        assert documented.items() <= sent(f"{BASE}{path}").items()


def test_the_health_check_has_a_caching_example_of_its_own(description: dict[str, Any]) -> None:
    health = examples(description, description["paths"]["/health"]["get"]["responses"]["200"])
    apps = examples(description, description["paths"]["/apps"]["get"]["responses"]["200"])

    assert health["cache-control"] == "max-age=10"
    assert apps["cache-control"].startswith("max-age=300")


def test_the_example_of_a_404_is_what_is_sent(description: dict[str, Any]) -> None:
    documented = examples(description, description["components"]["responses"]["NotFound"])

    assert documented["cache-control"] == "max-age=60"
    assert documented.items() <= sent(f"{BASE}/apps/nothing").items()


def test_the_example_of_a_429_is_what_is_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"})
    call("GET", f"{BASE}/health")
    documented = examples(description, description["components"]["responses"]["TooManyRequests"])

    answer = call("GET", f"{BASE}/health")

    assert answer.status == HTTPStatus.TOO_MANY_REQUESTS
    assert documented["cache-control"] == "no-store"
    assert documented["retry-after"] == str(BUDGET.window_seconds)
    assert documented.items() <= {n.lower(): v for n, v in answer.headers.items()}.items()


def test_the_example_of_a_503_is_what_is_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    documented = examples(description, description["components"]["responses"]["ServiceUnavailable"])

    def fail(*args: object) -> None:
        raise OperationalError("no route to host")

    monkeypatch.setattr("api.viewsets.AppViewSet.list", fail)
    answer = call("GET", f"{BASE}/apps")

    assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert documented["cache-control"] == "no-store"
    assert documented["retry-after"] == "30"
    assert documented.items() <= {n.lower(): v for n, v in answer.headers.items()}.items()
