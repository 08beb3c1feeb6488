"""Generate the contract (`api/openapi.json`): the OpenAPI document without content.

drf-spectacular reads the views and serializers. The additions are the headers, the problems, and
that objects have only the members of the contract. `manage.py openapi --write` runs this.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import orjson
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from api.contract import PROBLEM_JSON
from api.endpoints import Endpoint
from api.problems import problem_body
from api.schema import EXAMPLE_ROOT, OpenApiPart, operations_in
from api.schema_headers import HEADERS, ON_SUCCESS, PROBLEMS, header_references
from catalogue import addresses
from catalogue.addresses import Site

SITE = Site(EXAMPLE_ROOT)

SUMMARY = "What a mobile-app studio says about itself, read-only and without a key."
TAG_DESCRIPTIONS = {
    "Apps": "The studio's apps.",
    "Posts": "The blog.",
    "Studio": "Who the studio is: profile, people, counters, history.",
    "Knowledge": "The science behind the apps and the rules they keep.",
    "Service": "The API itself: its index, its versions, its health.",
}
PARAMETER_DESCRIPTIONS = {"appId": "The id of an app.", "slug": "The slug of a post."}
OPEN_OBJECTS = ("Problem",)
"""Objects that may have other members; RFC 9457 allows them for a problem."""


class ContractSchema(AutoSchema):
    """The operation of an endpoint, as the table of endpoints describes it."""

    @property
    def endpoint(self) -> Endpoint:
        endpoint: Endpoint = self.view.endpoint  # type: ignore[attr-defined]
        return endpoint

    def get_operation_id(self) -> str:
        return self.endpoint.operation

    def get_summary(self) -> str:
        return self.endpoint.summary

    def get_description(self) -> str:  # type: ignore[override]
        return self.endpoint.description

    def get_tags(self) -> list[str]:
        return [self.endpoint.group]

    def get_response_serializers(self) -> Any:
        return self.endpoint.response

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


def documented_endpoints(endpoints: list[Any], **options: Any) -> list[Any]:
    """Leave out the aliases of endpoints, which are for file servers."""
    aliases = (".json", addresses.API)
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith(aliases)]


def generate_contract() -> OpenApiPart:
    generator = SchemaGenerator(urlconf=settings.PUBLIC_URLCONF)  # type: ignore[no-untyped-call]
    generated = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    components = generated["components"]
    components["headers"] = HEADERS
    components["responses"] = problem_responses()
    components["schemas"] |= {"Problem": PROBLEM_SCHEMA}
    close_objects(components["schemas"])
    for operation in operations_in(generated):
        complete_operation(operation)
    return dict(
        remove_marks(
            {
                "openapi": generated["openapi"],
                "info": generated["info"] | {"summary": SUMMARY},
                "servers": [{"url": SITE.url(addresses.API), "description": "Production"}],
                "externalDocs": {
                    "description": "Documentation for people",
                    "url": SITE.url(addresses.DOCUMENTATION),
                },
                "security": [],
                "tags": [
                    {"name": name, "description": text} for name, text in TAG_DESCRIPTIONS.items()
                ],
                "paths": generated["paths"],
                "components": components,
            }
        )
    )


def complete_operation(operation: OpenApiPart) -> None:
    """Add headers, problems and descriptions of parameters to an operation."""
    for parameter in operation.get("parameters", []):
        parameter["description"] = PARAMETER_DESCRIPTIONS[parameter["name"]]
    success = operation["responses"]["200"]
    success["description"] = operation["summary"]
    success["headers"] = header_references(ON_SUCCESS)
    if operation["operationId"] == "getHealth":
        success["headers"] |= header_references(["Cache-Control-Health"])
    for status in PROBLEMS:
        name = component_name(status)
        operation["responses"][str(int(status))] = {"$ref": f"#/components/responses/{name}"}


def component_name(status: HTTPStatus) -> str:
    """Return the name of a component: 404 → `NotFound`."""
    return status.phrase.replace(" ", "")


def problem_responses() -> OpenApiPart:
    return {
        component_name(status): {
            "description": description,
            "headers": header_references(headers),
            "content": {
                PROBLEM_JSON: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "example": orjson.loads(problem_body(SITE, status)),
                }
            },
        }
        for status, (description, headers) in PROBLEMS.items()
    }


PROBLEM_SCHEMA: OpenApiPart = {
    "type": "object",
    "description": "An error (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "What kind of problem."},
        "title": {"type": "string", "description": "The kind in words."},
        "status": {
            "type": "integer",
            "minimum": 400,
            "maximum": 599,
            "description": "The HTTP status.",
        },
        "detail": {"type": "string", "description": "What helps with this one."},
        "instance": {"type": "string", "format": "uri", "description": "The failing request."},
    },
    "required": ["title", "status"],
}


def close_objects(schemas: OpenApiPart) -> None:
    """Forbid members that are not in the contract, and equal values in an array of a closed set."""
    for name, schema in schemas.items():
        for part in mappings_in(schema):
            closed = part.get("type") == "object" and name not in OPEN_OBJECTS
            if closed and "properties" in part:
                part.setdefault("additionalProperties", False)
            if part.get("type") == "array" and "enum" in part.get("items", {}):
                part["uniqueItems"] = True


def mappings_in(schema: Any) -> Iterator[OpenApiPart]:
    """Yield a schema and every mapping inside it."""
    if isinstance(schema, dict):
        yield schema
    children = schema.values() if isinstance(schema, dict) else schema
    if isinstance(schema, (dict, list)):
        for child in children:
            yield from mappings_in(child)


def remove_marks(part: Any) -> Any:
    """Return the document without the internal members of the library."""
    if isinstance(part, dict):
        kept = {name: value for name, value in part.items() if name != "x-spec-enum-id"}
        return {name: remove_marks(value) for name, value in kept.items()}
    if isinstance(part, list):
        return [remove_marks(item) for item in part]
    return part
