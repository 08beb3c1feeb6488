"""The operations of the contract, and their addresses."""

from dataclasses import dataclass

import pytest

ROOT = "https://studio.example"
BASE = "/api/v1"
OPENAPI = "/openapi.json"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An operation; `example` is an address that exists with the fixture `content`."""

    operation: str
    template: str
    example: str
    enveloped: bool = True
    many: bool = False

    @property
    def alias(self) -> str:
        name = "index" if self.example.endswith("/") else ""
        return f"{self.example}{name}.json"

    @property
    def url(self) -> str:
        return ROOT + self.example

    def __str__(self) -> str:
        return self.operation


ENDPOINTS = (
    Endpoint("getApiIndex", "/api/v1/", "/api/v1/", enveloped=False),
    Endpoint("getStudio", "/api/v1/studio", "/api/v1/studio"),
    Endpoint("listTeam", "/api/v1/team", "/api/v1/team", many=True),
    Endpoint("listApps", "/api/v1/apps", "/api/v1/apps", many=True),
    Endpoint("getApp", "/api/v1/apps/{appId}", "/api/v1/apps/full-app"),
    Endpoint("listPosts", "/api/v1/posts", "/api/v1/posts", many=True),
    Endpoint("getPost", "/api/v1/posts/{slug}", "/api/v1/posts/full-post"),
    Endpoint("listStats", "/api/v1/stats", "/api/v1/stats", many=True),
    Endpoint("listScienceTopics", "/api/v1/science", "/api/v1/science", many=True),
    Endpoint("listPrinciples", "/api/v1/principles", "/api/v1/principles", many=True),
    Endpoint("listTimeline", "/api/v1/timeline", "/api/v1/timeline", many=True),
    Endpoint("listVersions", "/api/v1/versions", "/api/v1/versions", many=True),
    Endpoint("getHealth", "/api/v1/health", "/api/v1/health", enveloped=False),
)
ENVELOPED = tuple(endpoint for endpoint in ENDPOINTS if endpoint.enveloped)
LISTS = tuple(endpoint for endpoint in ENDPOINTS if endpoint.many)
ITEMS = tuple(endpoint for endpoint in ENDPOINTS if "{" in endpoint.template)

ALIASES = tuple(endpoint.alias for endpoint in ENDPOINTS)
API_ADDRESSES = (*(endpoint.example for endpoint in ENDPOINTS), BASE, *ALIASES)
EXAMPLES = tuple(endpoint.example for endpoint in ENDPOINTS)
DOCUMENTS = (*EXAMPLES, OPENAPI)
ADDRESSES = (*API_ADDRESSES, OPENAPI)
"""All addresses that have the headers of the API."""

SAMPLE = tuple(
    endpoint.example
    for endpoint in ENDPOINTS
    if endpoint.operation in {"getApiIndex", "getStudio", "listApps", "getPost", "getHealth"}
)
"""A document of each kind: the index, an object, a list, an item and the health."""

each_address = pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(SAMPLE, id="sample"),
        pytest.param(
            tuple(address for address in ADDRESSES if address not in SAMPLE),
            id="others",
            marks=pytest.mark.exhaustive("asks for all other documents, and for every alias"),
        ),
    ],
)
"""All addresses: a sample in every run, the others in the exhaustive one."""
