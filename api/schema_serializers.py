"""Serializers for the OpenAPI document only: the envelope, the index, health."""

from typing import Any

from rest_framework import serializers

from api.contract import BUDGET
from catalogue import rules
from catalogue.models import VersionStatus


class MetaSerializer(serializers.Serializer[Any]):
    """Envelope metadata."""

    apiVersion = serializers.RegexField(
        rules.SEMANTIC_VERSION, help_text="Semantic version of the API contract."
    )
    documentation = serializers.URLField(help_text="Human-readable reference.")
    count = serializers.IntegerField(
        required=False, min_value=0, help_text="Number of items in `data`, for collections."
    )
    generatedAt = serializers.DateTimeField(
        required=False, help_text="When the static snapshot was built."
    )


def envelope_serializer(
    serializer: type[serializers.Serializer[Any]], *, many: bool = False
) -> type[serializers.Serializer[Any]]:
    name = serializer.__name__.removesuffix("Serializer") + ("List" if many else "")
    members = {
        "self": serializers.URLField(help_text="Canonical URL of this resource."),
        "meta": MetaSerializer(),
        "data": serializer(many=many),
    }
    envelope = f"The envelope of {name}."
    return type(
        f"{name}EnvelopeSerializer", (serializers.Serializer,), members | {"__doc__": envelope}
    )


class RateLimitSerializer(serializers.Serializer[Any]):
    """The request budget of one client."""

    requests = serializers.IntegerField(min_value=BUDGET.requests, max_value=BUDGET.requests)
    windowSeconds = serializers.IntegerField(
        min_value=BUDGET.window_seconds, max_value=BUDGET.window_seconds
    )
    enforcement = serializers.ChoiceField(choices=["edge"])
    notes = serializers.CharField(required=False)


class IndexSerializer(serializers.Serializer[Any]):
    """The API index, which has no envelope."""

    self = serializers.URLField()
    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION)
    status = serializers.ChoiceField(choices=VersionStatus.choices, required=False)
    generatedAt = serializers.DateTimeField(required=False)
    documentation = serializers.URLField(required=False)
    openapi = serializers.URLField(required=False)
    versioningPolicy = serializers.URLField(required=False)
    rateLimit = RateLimitSerializer(required=False)
    endpoints = serializers.DictField(
        child=serializers.CharField(), help_text="Endpoint name to URL template."
    )


class HealthSerializer(serializers.Serializer[Any]):
    """Liveness, which has no envelope."""

    status = serializers.ChoiceField(choices=["ok"])
    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION)
    generatedAt = serializers.DateTimeField(required=False)
