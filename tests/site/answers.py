"""Every kind of public answer: each document of a site, and a request for each other status."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from api.contract import BUDGET
from site_mirror.registry import documents
from site_mirror.views import live_context

BROKEN_PAGE = "/science"


@dataclass(frozen=True)
class Asked:
    """A request, and the status that its answer must have."""

    status: int
    address: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.status} {self.method} {self.address}"


REFUSED = (
    Asked(304, "/api/v1/apps", headers={"if-none-match": "*"}),
    Asked(304, "/about", headers={"if-none-match": "*"}),
    Asked(304, "/about.md", headers={"if-none-match": "*"}),
    Asked(308, "/api/v1/apps/"),
    Asked(308, "/about/"),
    Asked(404, "/api/v1/nope"),
    Asked(404, "/api/v1/apps/nope"),
    Asked(404, "/nope"),
    Asked(404, "/apps/nope"),
    Asked(405, "/api/v1/apps", method="POST"),
    Asked(405, "/openapi.json", method="DELETE"),
    Asked(405, "/about", method="POST"),
    Asked(406, "/about", headers={"accept": "image/png"}),
    Asked(412, "/api/v1/apps", headers={"if-match": '"x"'}),
    Asked(412, "/about", headers={"if-match": '"x"'}),
    Asked(400, "/api/v1/apps", headers={"host": "evil.example"}),
    Asked(400, "/about", headers={"host": "evil.example"}),
    Asked(204, "/api/v1/apps", method="OPTIONS"),
    Asked(204, "/about", method="OPTIONS"),
)
"""Requests that are answered with something else than a document."""


def every_request() -> list[Asked]:
    """One for each address of each document, and those of `REFUSED`."""
    found = [
        Asked(200, address)
        for document in documents(live_context())
        for address in (document.address, *document.aliases)
    ]
    return [*found, *REFUSED]


def answer(asked: Asked, headers: dict[str, str] | None = None) -> Any:
    """The answer to a request, with more headers beside its own, from a full budget."""
    cache.clear()
    client = Client(raise_request_exception=False)
    return client.generic(asked.method, asked.address, headers={**(headers or {}), **asked.headers})


def over_budget(headers: dict[str, str]) -> Any:
    """The 429 that follows a spent budget."""
    cache.clear()
    client = Client(raise_request_exception=False)
    for _ in range(BUDGET.requests):
        client.get("/api/v1/health")
    return client.get("/api/v1/health", headers=headers)


def without_a_database(address: str, headers: dict[str, str] | None = None) -> Any:
    """The answer while each query fails as it does when the database is gone."""

    def fail(*query: Any) -> None:
        raise OperationalError("could not connect to server")

    with connection.execute_wrapper(fail):
        return Client(raise_request_exception=False).get(address, headers=headers or {})


def of_a_fault(monkeypatch: Any, headers: dict[str, str]) -> Iterator[Any]:
    """The 500 of an endpoint and of a page whose code has a fault."""

    def fail(*anything: Any, **named: Any) -> None:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr("api.resources.health", fail)
    monkeypatch.setattr("site_mirror.views.live_context", fail)
    for address in ("/api/v1/health", BROKEN_PAGE):
        yield Client(raise_request_exception=False).get(address, headers=headers)
