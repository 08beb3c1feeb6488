"""The operations of the contract, and their addresses."""

import re
from dataclasses import dataclass

ROOT = "https://studio.example"
BASE = "/api/v1"
OPENAPI = "/openapi.json"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An operation; `slug` is that of a row of the fixture `content`."""

    operation: str
    path: str
    slug: str = ""
    enveloped: bool = True
    many: bool = False

    @property
    def template(self) -> str:
        return BASE + self.path

    @property
    def example(self) -> str:
        """An address that exists with the fixture `content`."""
        return re.sub(r"\{\w+\}", self.slug, self.template)

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
    Endpoint("getApiIndex", "/", enveloped=False),
    Endpoint("getStudio", "/studio"),
    Endpoint("listTeam", "/team", many=True),
    Endpoint("listApps", "/apps", many=True),
    Endpoint("getApp", "/apps/{appId}", "full-app"),
    Endpoint("listPosts", "/posts", many=True),
    Endpoint("getPost", "/posts/{slug}", "full-post"),
    Endpoint("listStats", "/stats", many=True),
    Endpoint("listScienceTopics", "/science", many=True),
    Endpoint("listPrinciples", "/principles", many=True),
    Endpoint("listTimeline", "/timeline", many=True),
    Endpoint("listVersions", "/versions", many=True),
    Endpoint("getHealth", "/health", enveloped=False),
)
LISTS = tuple(endpoint for endpoint in ENDPOINTS if endpoint.many)
ITEMS = tuple(endpoint for endpoint in ENDPOINTS if "{" in endpoint.template)

ALIASES = tuple(endpoint.alias for endpoint in ENDPOINTS)
API_ADDRESSES = (*(endpoint.example for endpoint in ENDPOINTS), BASE, *ALIASES)
EXAMPLES = tuple(endpoint.example for endpoint in ENDPOINTS)
DOCUMENTS = (*EXAMPLES, OPENAPI)
ADDRESSES = (*API_ADDRESSES, OPENAPI)
"""All addresses that have the headers of the API."""

SAMPLE = (f"{BASE}/", *(f"{BASE}/{end}" for end in ("studio", "apps", "posts/full-post", "health")))
"""A document of each kind: the index, an object, a list, an item and the health."""
