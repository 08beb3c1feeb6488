"""The resources of the contract: a query of the catalogue and its serializer."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from msgspec import Struct

from api import serializers
from api.contract import API_VERSION, BUDGET, BUDGET_NOTES, VERSION
from api.envelope import GENERATED_AT, Body, envelope
from api.fields import ContractSerializer
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import ApiVersion


class Resource(Struct, frozen=True):
    """Rows and their serializer, for collections and items."""

    rows: Callable[[datetime], QuerySet[Any]]
    serializer: type[ContractSerializer]

    def collection(self, site: Site, address: str, rows: Iterable[Any]) -> Body:
        serializer = serializer_of(self.serializer, site)
        return envelope(site, address, [serializer.to_representation(row) for row in rows])

    def items(self, site: Site) -> Callable[[str, Any], Body]:
        """Return a function that renders one item after another."""
        serializer = serializer_of(self.serializer, site)
        return lambda address, row: envelope(site, address, serializer.to_representation(row))


@lru_cache(maxsize=32)
def serializer_of(serializer: type[ContractSerializer], site: Site) -> ContractSerializer:
    """Return a serializer, cached because each new serializer copies all of its fields."""
    return serializer(context={"site": site})


STUDIO = Resource(questions.studio, serializers.StudioSerializer)
TEAM = Resource(questions.team, serializers.TeamMemberSerializer)
APPS = Resource(questions.apps, serializers.AppSerializer)
POST_SUMMARIES = Resource(questions.post_summaries, serializers.PostSerializer)
STATS = Resource(questions.statistics, serializers.StatisticSerializer)
SCIENCE_TOPICS = Resource(questions.science_topics, serializers.ScienceTopicSerializer)
PRINCIPLES = Resource(questions.principles, serializers.PrincipleSerializer)
TIMELINE = Resource(questions.timeline, serializers.TimelineEntrySerializer)
VERSIONS = Resource(questions.versions, serializers.VersionSerializer)


def index_body(site: Site, version: ApiVersion | None, endpoints: dict[str, str]) -> Body:
    """Return the API index. `endpoints` maps names to address templates."""
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
        "endpoints": {name: site.url(template) for name, template in endpoints.items()},
    }


def health_body() -> Body:
    """Return the body of the health check."""
    return {"status": "ok", "apiVersion": API_VERSION, GENERATED_AT: None}


def served_version(versions: Iterable[ApiVersion]) -> ApiVersion | None:
    """Return the row of the version that this program serves."""
    return next((version for version in versions if version.version == VERSION), None)
