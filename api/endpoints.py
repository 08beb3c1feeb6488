"""The endpoints of the contract: one table, of which views, routes and documents are made.

A new endpoint is a question of the catalogue, a serializer and an entry of `ENDPOINTS`.
"""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from rest_framework.serializers import Serializer

from api import schema_serializers, serializers
from api.contract import API_VERSION, BUDGET, BUDGET_NOTES, VERSION
from api.envelope import GENERATED_AT, Body, envelope
from api.headers import DOCUMENT_CACHING, HEALTH_CACHING, Headers
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.milestones import timeline
from catalogue.models import ApiVersion

Question = Callable[[datetime], Any]
"""Returns a queryset for a moment."""

Write = Callable[[str, Any], Body]
"""Returns the body at an address, of its subject: a row, or all rows of a list."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """An endpoint: an operation of the OpenAPI document, a view, and a family of documents.

    `name` is its name in the index of the API. `path` is below the base address; its parameter is
    a slug. `serializer` describes the data of the envelope, or the whole body of an endpoint that
    has no envelope and a `write` of its own. `unknown` is the detail of a 404.
    """

    operation: str
    name: str
    path: str
    group: str
    summary: str
    description: str
    serializer: type[Serializer[Any]]
    rows: Question = lambda at: ()
    is_list: bool = False
    unknown: str = "Nothing is published at this address yet."
    write: Callable[[Site, Any], Body] | None = None
    caching: Headers = field(default_factory=lambda: DOCUMENT_CACHING)

    @property
    def address(self) -> str:
        """The address on the site, a template if the endpoint has a parameter."""
        return addresses.api_address(self.path)

    def address_of(self, slug: str) -> str:
        return re.sub(r"\{\w+\}", slug, self.address)

    @property
    def has_parameter(self) -> bool:
        """Whether each row has an address of its own, with its slug."""
        return "{" in self.path

    @property
    def is_item(self) -> bool:
        """Whether each document is about one row."""
        return not self.is_list and self.write is None

    @property
    def response(self) -> type[Serializer[Any]]:
        """The serializer of the whole body."""
        if self.write:
            return self.serializer
        return schema_serializers.envelope_serializer(self.serializer, many=self.is_list)

    def subject(self, at: datetime, slug: str = "") -> Any:
        """Return the row of a slug, the only row, or all rows; `None` if there is no document."""
        rows = self.rows(at)
        if not self.is_item:
            return rows
        return (rows.filter(slug=slug) if slug else rows).first()

    def moved_address(self, at: datetime, slug: str) -> str:
        if not self.has_parameter:
            return ""
        former = questions.former_slugs(at, of=self.rows(at)).filter(slug=slug).first()
        return self.address_of(former.today) if former else ""

    def writer(self, site: Site) -> Write:
        if write := self.write:
            return lambda address, rows: write(site, rows)
        convert = serializer_of(self.serializer, site).to_representation
        if self.is_list:
            return lambda address, rows: envelope(site, address, [convert(row) for row in rows])
        return lambda address, row: envelope(site, address, convert(row))


@lru_cache(maxsize=32)
def serializer_of(serializer: type[Serializer[Any]], site: Site) -> Serializer[Any]:
    """Return a serializer, cached because each new serializer copies all of its fields."""
    return serializer(context={"site": site})


def index_body(site: Site, versions: Iterable[ApiVersion]) -> Body:
    version = served_version(versions)
    return {
        "self": site.url(addresses.api_address("/")),
        "apiVersion": API_VERSION,
        **({"status": version.status} if version else {}),
        GENERATED_AT: None,
        "documentation": site.url(addresses.DOCUMENTATION),
        "openapi": site.url(addresses.OPENAPI),
        "versioningPolicy": site.url(addresses.VERSIONING_POLICY),
        "rateLimit": {
            "requests": BUDGET.requests,
            "windowSeconds": BUDGET.window_seconds,
            "enforcement": "edge",
            "notes": BUDGET_NOTES,
        },
        "endpoints": {name: site.url(address) for name, address in ADDRESSES.items()},
    }


def served_version(versions: Iterable[ApiVersion]) -> ApiVersion | None:
    return next((version for version in versions if version.version == VERSION), None)


def health_body(site: Site, rows: object) -> Body:
    return {"status": "ok", "apiVersion": API_VERSION, GENERATED_AT: None}


ENDPOINTS = (
    Endpoint(
        operation="getApiIndex",
        name="index",
        path="/",
        group="Service",
        summary="Get the index",
        description="The version, its status, the request budget and the address of each endpoint.",
        serializer=schema_serializers.IndexSerializer,
        rows=questions.versions,
        write=index_body,
    ),
    Endpoint(
        operation="getStudio",
        name="studio",
        path="/studio",
        group="Studio",
        summary="Get the studio profile",
        description="Who the studio is, what it builds and how to reach it.",
        serializer=serializers.StudioSerializer,
        rows=questions.studio,
    ),
    Endpoint(
        operation="listTeam",
        name="team",
        path="/team",
        group="Studio",
        summary="List the team",
        description="The people of the studio and what each is responsible for.",
        serializer=serializers.TeamMemberSerializer,
        rows=questions.team,
        is_list=True,
    ),
    Endpoint(
        operation="listApps",
        name="apps",
        path="/apps",
        group="Apps",
        summary="List all apps",
        description="Every published app with all of its fields, in the order of the studio.",
        serializer=serializers.AppSerializer,
        rows=questions.apps,
        is_list=True,
    ),
    Endpoint(
        operation="getApp",
        name="app",
        path="/apps/{appId}",
        group="Apps",
        summary="Get an app",
        description="One published app by its id, with the same fields as in the list.",
        serializer=serializers.AppSerializer,
        rows=questions.apps,
        unknown="No app has the id “{slug}”. See /api/v1/apps for the ids.",
    ),
    Endpoint(
        operation="listPosts",
        name="posts",
        path="/posts",
        group="Posts",
        summary="List all posts",
        description="Every published post, newest first; the full texts are at `links.markdown`.",
        serializer=serializers.PostSerializer,
        rows=questions.post_summaries,
        is_list=True,
    ),
    Endpoint(
        operation="getPost",
        name="post",
        path="/posts/{slug}",
        group="Posts",
        summary="Get a post",
        description="One published post by its slug; its full text is at `links.markdown`.",
        serializer=serializers.PostSerializer,
        rows=questions.post_summaries,
        unknown="No post has the slug “{slug}”. See /api/v1/posts for the posts.",
    ),
    Endpoint(
        operation="listStats",
        name="stats",
        path="/stats",
        group="Studio",
        summary="List the statistics",
        description="The counters of the home page as structured values with their units.",
        serializer=serializers.StatisticSerializer,
        rows=questions.statistics,
        is_list=True,
    ),
    Endpoint(
        operation="listScienceTopics",
        name="science",
        path="/science",
        group="Knowledge",
        summary="List the science topics",
        description="Disciplines, each with a governing formula and a plain explanation.",
        serializer=serializers.ScienceTopicSerializer,
        rows=questions.science_topics,
        is_list=True,
    ),
    Endpoint(
        operation="listPrinciples",
        name="principles",
        path="/principles",
        group="Knowledge",
        summary="List the principles",
        description="The rules that the products of the studio keep, in their order.",
        serializer=serializers.PrincipleSerializer,
        rows=questions.principles,
        is_list=True,
    ),
    Endpoint(
        operation="listTimeline",
        name="timeline",
        path="/timeline",
        group="Studio",
        summary="List the timeline",
        description="Milestones of the studio and its founder, newest first and oldest last.",
        serializer=serializers.TimelineEntrySerializer,
        rows=timeline,
        is_list=True,
    ),
    Endpoint(
        operation="listVersions",
        name="versions",
        path="/versions",
        group="Service",
        summary="List the API versions",
        description="Each version with its status and, once announced, the dates of its end.",
        serializer=serializers.VersionSerializer,
        rows=questions.versions,
        is_list=True,
    ),
    Endpoint(
        operation="getHealth",
        name="health",
        path="/health",
        group="Service",
        summary="Check the health",
        description="`ok` whenever the origin is serving the API. Safe to poll at a low rate.",
        serializer=schema_serializers.HealthSerializer,
        write=health_body,
        caching=HEALTH_CACHING,
    ),
)

ADDRESSES = {
    **{endpoint.name: endpoint.address for endpoint in ENDPOINTS},
    "openapi": addresses.OPENAPI,
}
"""The addresses in the index, by name; some are templates."""
