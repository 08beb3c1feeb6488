"""Requests for every kind of public response: one of each kind of document and of each status."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from site_mirror.live.views import live_context
from site_mirror.registry.table import FAMILIES


@dataclass(frozen=True)
class PublicRequest:
    """A request and the expected status of its response."""

    status: int
    address: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)


REQUESTS_WITHOUT_CONTENT = (
    PublicRequest(204, "/api/v1/apps", method="OPTIONS"),
    PublicRequest(204, "/api/v1/nope", method="OPTIONS"),
    PublicRequest(204, "/about", method="OPTIONS"),
    PublicRequest(308, "/api/v1/apps/"),
    PublicRequest(308, "/about/"),
    PublicRequest(308, "/about//"),
    PublicRequest(400, "/api/v1/apps", headers={"host": "evil.example"}),
    PublicRequest(400, "/about", headers={"host": "evil.example"}),
    PublicRequest(404, "/api/v1/nope"),
    PublicRequest(404, "/api/v2/"),
    PublicRequest(404, "/nope"),
    PublicRequest(405, "/api/v1/apps", method="POST"),
    PublicRequest(405, "/openapi.json", method="DELETE"),
    PublicRequest(405, "/about", method="POST"),
)
"""Requests whose responses need no content."""
OTHER_REQUESTS = (
    *REQUESTS_WITHOUT_CONTENT,
    PublicRequest(304, "/api/v1/apps", headers={"if-none-match": "*"}),
    PublicRequest(304, "/about", headers={"if-none-match": "*"}),
    PublicRequest(304, "/about.md", headers={"if-none-match": "*"}),
    PublicRequest(404, "/api/v1/apps/nope"),
    PublicRequest(404, "/apps/nope"),
    PublicRequest(406, "/about", headers={"accept": "image/png"}),
    PublicRequest(412, "/api/v1/apps", headers={"if-match": '"x"'}),
    PublicRequest(412, "/about", headers={"if-match": '"x"'}),
)
"""Requests whose response is not a 200."""


def list_document_requests() -> list[PublicRequest]:
    """Return a request for each kind of page and file in English.

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
    return [PublicRequest(200, document.address) for document in found if document]


def send_request(request: PublicRequest, headers: dict[str, str] | None = None) -> Any:
    """Send a request with additional headers, from a client with a full budget."""
    cache.clear()
    client = Client(raise_request_exception=False)
    return client.generic(
        request.method, request.address, headers={**(headers or {}), **request.headers}
    )


@contextmanager
def without_database() -> Iterator[list[Any]]:
    """Let each query fail as without a database; yields the queries that were tried."""
    queries: list[Any] = []

    def fail(*query: Any) -> None:
        queries.append(query)
        raise OperationalError("could not connect to server")

    with connection.execute_wrapper(fail):
        yield queries
