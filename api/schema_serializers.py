"""Serializers for the OpenAPI document only: the envelope, the index, health."""

from typing import Any

from rest_framework import serializers

from api.contract import BUDGET
from catalogue import rules
from catalogue.models import VersionStatus

DATA_OF_LIST = "All objects of the list; there are no further pages."
DATA_OF_ITEM = "The object itself."
SEMANTIC_VERSION = "Semantic version of the API contract."
BUILT_AT = (
    "When the static snapshot was built in which the document last changed; "
    "absent from live responses."
)


class MetaSerializer(serializers.Serializer[Any]):
    """The facts about the `data` of an envelope: version, count and documentation."""

    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION, help_text=SEMANTIC_VERSION)
    documentation = serializers.URLField(help_text="Human-readable reference.")
    count = serializers.IntegerField(
        required=False, min_value=0, help_text="Number of items in `data`, for collections."
    )
    generatedAt = serializers.DateTimeField(required=False, help_text=BUILT_AT)


def envelope_serializer(
    serializer: type[serializers.Serializer[Any]], *, many: bool = False
) -> type[serializers.Serializer[Any]]:
    name = serializer.__name__.removesuffix("Serializer") + ("List" if many else "")
    members = {
        "self": serializers.URLField(help_text="Canonical URL of this resource."),
        "meta": MetaSerializer(),
        "data": serializer(many=many, help_text=DATA_OF_LIST if many else DATA_OF_ITEM),
    }
    envelope = f"The envelope of {name}."
    return type(
        f"{name}EnvelopeSerializer", (serializers.Serializer,), members | {"__doc__": envelope}
    )


class RateLimitSerializer(serializers.Serializer[Any]):
    """The request budget of one client."""

    requests = serializers.IntegerField(
        min_value=BUDGET.requests,
        max_value=BUDGET.requests,
        help_text=f"Requests in a window: always {BUDGET.requests}.",
    )
    windowSeconds = serializers.IntegerField(
        min_value=BUDGET.window_seconds,
        max_value=BUDGET.window_seconds,
        help_text=f"Length of a window in seconds: always {BUDGET.window_seconds}.",
    )
    enforcement = serializers.ChoiceField(choices=["edge"], help_text="Where requests are counted.")
    notes = serializers.CharField(required=False, help_text="What else to know about the limit.")


class IndexSerializer(serializers.Serializer[Any]):
    """The index of the API, without an envelope: version, request budget and endpoints."""

    self = serializers.URLField(help_text="Canonical URL of the index.")
    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION, help_text=SEMANTIC_VERSION)
    status = serializers.ChoiceField(
        choices=VersionStatus.choices, required=False, help_text="Whether this version has an end."
    )
    generatedAt = serializers.DateTimeField(required=False, help_text=BUILT_AT)
    documentation = serializers.URLField(required=False, help_text="Human-readable reference.")
    openapi = serializers.URLField(required=False, help_text="The OpenAPI document.")
    versioningPolicy = serializers.URLField(
        required=False, help_text="How versions change and how they end."
    )
    rateLimit = RateLimitSerializer(required=False)
    endpoints = serializers.DictField(
        child=serializers.CharField(), help_text="URL template of each endpoint, by its name."
    )


class HealthSerializer(serializers.Serializer[Any]):
    """Whether the origin serves the API, and which version of it. It has no envelope."""

    status = serializers.ChoiceField(choices=["ok"], help_text="The state of the origin.")
    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION, help_text=SEMANTIC_VERSION)
    generatedAt = serializers.DateTimeField(required=False, help_text=BUILT_AT)
