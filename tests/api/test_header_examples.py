"""The examples of headers in the OpenAPI document equal the headers of responses."""

from http import HTTPStatus
from typing import Any

import pytest
from django.db import OperationalError

from api.contract import BUDGET
from api.throttling import BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import BASE, OPENAPI
from tests.api.wsgi_client import call_application

pytestmark = pytest.mark.usefixtures("content")

VARYING_HEADERS = {"ETag", "Last-Modified", "Deprecation", "Sunset", "Link"}
"""Headers whose value depends on the document or on the content."""


@pytest.fixture
def description(get: Get) -> dict[str, Any]:
    return dict(get(OPENAPI).json())


def header_examples(description: dict[str, Any], answer: dict[str, Any]) -> dict[str, str]:
    """Return the examples of a response's headers by name in lower case."""
    documented = description["components"]["headers"]
    return {
        name.lower(): str(documented[header["$ref"].rpartition("/")[2]]["example"])
        for name, header in answer["headers"].items()
        if name not in VARYING_HEADERS
    }


def get_headers(path: str) -> dict[str, str]:
    return {name.lower(): value for name, value in call_application("GET", path).headers.items()}


def test_the_example_headers_of_a_200_are_sent(description: dict[str, Any]) -> None:
    for path, item in description["paths"].items():
        if "{" in path or path == OPENAPI:
            continue
        documented = header_examples(description, item["get"]["responses"]["200"])

        assert documented.items() <= get_headers(f"{BASE}{path}").items()


def test_the_example_of_the_health_check_has_its_own_cache_control(
    description: dict[str, Any],
) -> None:
    health = header_examples(
        description, description["paths"]["/health"]["get"]["responses"]["200"]
    )
    apps = header_examples(description, description["paths"]["/apps"]["get"]["responses"]["200"])

    assert health["cache-control"] == "max-age=10"
    assert apps["cache-control"].startswith("max-age=300")


def test_the_example_headers_of_a_404_are_sent(description: dict[str, Any]) -> None:
    documented = header_examples(description, description["components"]["responses"]["NotFound"])

    assert documented["cache-control"] == "max-age=60"
    assert documented.items() <= get_headers(f"{BASE}/apps/nothing").items()


def test_the_example_headers_of_a_429_are_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"})
    call_application("GET", f"{BASE}/health")
    documented = header_examples(
        description, description["components"]["responses"]["TooManyRequests"]
    )

    answer = call_application("GET", f"{BASE}/health")

    assert answer.status == HTTPStatus.TOO_MANY_REQUESTS
    assert documented["cache-control"] == "no-store"
    assert documented["retry-after"] == str(BUDGET.window_seconds)
    assert documented.items() <= {n.lower(): v for n, v in answer.headers.items()}.items()


def test_the_example_headers_of_a_503_are_sent(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    documented = header_examples(
        description, description["components"]["responses"]["ServiceUnavailable"]
    )

    def fail(*args: object) -> None:
        raise OperationalError("no route to host")

    monkeypatch.setattr("api.views.EndpointView.get", fail)
    answer = call_application("GET", f"{BASE}/apps")

    assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert documented["cache-control"] == "no-store"
    assert documented["retry-after"] == "30"
    assert documented.items() <= {n.lower(): v for n, v in answer.headers.items()}.items()
