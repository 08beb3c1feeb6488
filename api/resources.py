"""The resources of the contract: each is a question to the catalogue and a table that shapes it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from msgspec import Struct

from api import serializers
from api.contract import API_VERSION, BUDGET, BUDGET_NOTES, VERSION
from api.envelope import SLOT, Body, envelope
from api.fields import ContractSerializer
from catalogue import addresses, questions
from catalogue.addresses import Site
from catalogue.models import ApiVersion


class Resource(Struct, frozen=True):
    """Rows and their shape, for collections and items alike."""

    rows: Callable[[datetime], QuerySet[Any]]
    serializer: type[ContractSerializer]

    def collection(self, site: Site, address: str, rows: Iterable[Any]) -> Body:
        shape = shape_of(self.serializer, site)
        return envelope(site, address, [shape.to_representation(row) for row in rows])

    def items(self, site: Site) -> Callable[[str, Any], Body]:
        """A renderer of one item after another."""
        shape = shape_of(self.serializer, site)
        return lambda address, row: envelope(site, address, shape.to_representation(row))


@lru_cache(maxsize=32)
def shape_of(serializer: type[ContractSerializer], site: Site) -> ContractSerializer:
    """A table that is set up only once: each serializer copies all of its fields."""
    return serializer(context={"site": site})


STUDIO = Resource(questions.studio, serializers.StudioSerializer)
TEAM = Resource(questions.team, serializers.TeamMemberSerializer)
APPS = Resource(questions.apps, serializers.AppSerializer)
POSTS = Resource(questions.post_summaries, serializers.PostSerializer)
STATS = Resource(questions.statistics, serializers.StatisticSerializer)
SCIENCE = Resource(questions.science_topics, serializers.ScienceTopicSerializer)
PRINCIPLES = Resource(questions.principles, serializers.PrincipleSerializer)
TIMELINE = Resource(questions.timeline, serializers.TimelineEntrySerializer)
VERSIONS = Resource(questions.versions, serializers.VersionSerializer)


def index(site: Site, version: ApiVersion | None, endpoints: dict[str, str]) -> Body:
    """The API index. `endpoints` maps names to address templates."""
    return {
        "self": site.url(addresses.api("/")),
        "apiVersion": API_VERSION,
        **({"status": version.status} if version else {}),
        SLOT: None,
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


def health() -> Body:
    """`ok` whenever the origin is serving the API."""
    return {"status": "ok", "apiVersion": API_VERSION, SLOT: None}


def this_version(versions: Iterable[ApiVersion]) -> ApiVersion | None:
    """The row of the version that this code serves."""
    return next((version for version in versions if version.version == VERSION), None)
