"""Requests for every kind of public response: one of each kind of document and of each status."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from api.throttling import BudgetThrottle
from site_mirror.live.views import live_context
from site_mirror.registry.table import FAMILIES

FAULTY_PAGE = "/science"


@dataclass(frozen=True)
class PublicRequest:
    """A request and the expected status of its response."""

    status: int
    address: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.status} {self.method} {self.address}"


OTHER_REQUESTS = (
    PublicRequest(304, "/api/v1/apps", headers={"if-none-match": "*"}),
    PublicRequest(304, "/about", headers={"if-none-match": "*"}),
    PublicRequest(304, "/about.md", headers={"if-none-match": "*"}),
    PublicRequest(308, "/api/v1/apps/"),
    PublicRequest(308, "/about/"),
    PublicRequest(404, "/api/v1/nope"),
    PublicRequest(404, "/api/v1/apps/nope"),
    PublicRequest(404, "/nope"),
    PublicRequest(404, "/apps/nope"),
    PublicRequest(405, "/api/v1/apps", method="POST"),
    PublicRequest(405, "/openapi.json", method="DELETE"),
    PublicRequest(405, "/about", method="POST"),
    PublicRequest(406, "/about", headers={"accept": "image/png"}),
    PublicRequest(412, "/api/v1/apps", headers={"if-match": '"x"'}),
    PublicRequest(412, "/about", headers={"if-match": '"x"'}),
    PublicRequest(400, "/api/v1/apps", headers={"host": "evil.example"}),
    PublicRequest(400, "/about", headers={"host": "evil.example"}),
    PublicRequest(204, "/api/v1/apps", method="OPTIONS"),
    PublicRequest(204, "/about", method="OPTIONS"),
)
"""Requests whose response is not a 200."""


def list_typical_requests() -> list[PublicRequest]:
    """Return a request for each kind of page and file in English, and `OTHER_REQUESTS`.

    Assets count as one kind for each media type; documents that take the longest are left out.
    """
    longest = {"llms-full", "docs-api-en", "docs-api-en-mirror"}
    kinds = {
        family.media_type if family.template.startswith("/assets/") else family.name: family
        for family in FAMILIES
        if family.language != "vi" and family.name not in longest
    }
    context = live_context()
    found = [next(iter(family.documents(context)), None) for family in kinds.values()]
    requests = [PublicRequest(200, document.address) for document in found if document]
    return [*requests, *OTHER_REQUESTS]


def send_request(request: PublicRequest, headers: dict[str, str] | None = None) -> Any:
    """Send a request with additional headers, from a client with a full budget."""
    cache.clear()
    client = Client(raise_request_exception=False)
    return client.generic(
        request.method, request.address, headers={**(headers or {}), **request.headers}
    )


def exceed_budget(headers: dict[str, str]) -> Any:
    """Spend a budget of one request and return the 429 that follows."""
    client = Client(raise_request_exception=False)
    with patch.object(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"}):
        client.get("/api/v1/health")
        return client.get("/api/v1/health", headers=headers)


def send_without_database(address: str, headers: dict[str, str] | None = None) -> Any:
    """Send a request while each query fails as without a database."""

    def fail(*query: Any) -> None:
        raise OperationalError("could not connect to server")

    with connection.execute_wrapper(fail):
        return Client(raise_request_exception=False).get(address, headers=headers or {})


def send_to_faulty_code(monkeypatch: Any, headers: dict[str, str]) -> Iterator[Any]:
    """Yield the 500 of an endpoint and of a page whose code raises an exception."""

    def fail(*anything: Any, **named: Any) -> None:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr("api.views.EndpointViewSet.retrieve", fail)
    monkeypatch.setattr("site_mirror.live.views.live_context", fail)
    for address in ("/api/v1/health", FAULTY_PAGE):
        yield Client(raise_request_exception=False).get(address, headers=headers)
