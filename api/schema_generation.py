"""Generate the paths and schemas of the contract (`api/openapi.json`).

drf-spectacular reads the views and serializers. Tags, headers and problems, of which these say
nothing, are written by hand in the contract. `manage.py openapi --write` runs this.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from api.contract import PROBLEM_JSON
from api.endpoints import Endpoint
from api.schema import VALUES, OpenApiPart, operations_in
from catalogue import addresses
from catalogue.models.countries import COUNTRY_CODES

PARAMETER_DESCRIPTIONS = {
    "appId": "The id of an app, as the list of apps has it.",
    "slug": "The slug of a post, as the list of posts has it.",
}
VALUE_MEANINGS = {
    "education": "For learning and understanding.",
    "health": "For body and well-being.",
    "navigation": "For finding places and ways.",
    "productivity": "For getting work done.",
    "utilities": "For measuring and other everyday tasks.",
    "iOS": "iPhone and iPad.",
    "Android": "Phones and tablets with Android.",
    "Watch": "Apple Watch.",
    "live": "It can be installed.",
    "soon": "It is announced and cannot be installed yet.",
    "engine": "It is a technology inside of other apps and is not installed on its own.",
    "instruments": "Measuring instruments in the apps.",
    "audio-sample-rate": "Samples of sound per second.",
    "tracking-sdks": "Libraries of others that follow people.",
    "shipped-apps": "Apps with the status `live`.",
    "studio": "The studio.",
    "founder": "Its founder.",
    "current": "The version to use.",
    "deprecated": "It is still served, but new programs should use a newer version.",
    "sunset": "It is retired and may no longer be served.",
    "edge": "Requests are counted as they arrive, before any content is read.",
    "ok": "The origin serves the API.",
}
"""The meaning of each value of an enumeration; a standard explains the codes of countries."""
OTHER_STATUSES = ("Retry-After", "Cache-Control-")
"""How the names of headers begin that a 200 does not have."""
TEXTS = frozenset(
    {"description", VALUES, "summary", "example", "externalDocs", "servers", "tags", "info"}
)
"""Members on which no client relies."""


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


def generate_contract(committed: OpenApiPart) -> OpenApiPart:
    generator = SchemaGenerator(urlconf=settings.PUBLIC_URLCONF)  # type: ignore[no-untyped-call]
    generated = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    components = committed["components"]
    schemas = generated["components"]["schemas"]
    for part in mappings_in([generated["paths"], schemas]):
        close_object(part)
        explain_part(part)
    for operation in operations_in(generated):
        complete_operation(operation, components)
    problem = {"Problem": components["schemas"]["Problem"]}
    return committed | {
        "info": committed["info"] | generated["info"],
        "paths": generated["paths"],
        "components": components | {"schemas": schemas | problem},
    }


def promises_of(part: Any, name: str = "") -> Any:
    """Return a part of the contract, `name`, without the members on which no client relies."""
    if isinstance(part, list):
        return [promises_of(each) for each in part]
    if not isinstance(part, dict):
        return part
    # The members of an object may have the names of texts, such as `description`.
    left_out = frozenset() if name == "properties" else TEXTS
    return {key: promises_of(each, key) for key, each in part.items() if key not in left_out}


def close_object(part: OpenApiPart) -> None:
    """Forbid members that are not in the contract, and equal values in an array of a closed set."""
    part.pop("x-spec-enum-id", None)  # a mark of the library
    if part.get("type") == "object" and "properties" in part:
        part.setdefault("additionalProperties", False)
    if part.get("type") == "array" and "enum" in part.get("items", {}):
        part["uniqueItems"] = True


def explain_part(part: OpenApiPart) -> None:
    """Explain the values of an enumeration, and put a description beside its reference.

    The library wraps such a reference into `allOf`, as OpenAPI 3.0 needed. So the first description
    of a member would look like a change of its schema.
    """
    part.update(part.pop("allOf", [{}])[0])
    values = part.get("enum", ())
    if values and not COUNTRY_CODES.issuperset(values):
        part[VALUES] = {value: VALUE_MEANINGS[value] for value in values}


def mappings_in(part: Any) -> Iterator[OpenApiPart]:
    """Yield every mapping in a part of the document, the outer ones first."""
    if isinstance(part, dict):
        yield part
    if isinstance(part, dict | list):
        for child in part.values() if isinstance(part, dict) else part:
            yield from mappings_in(child)


def complete_operation(operation: OpenApiPart, components: OpenApiPart) -> None:
    """Add headers, problems and descriptions of parameters to an operation."""
    for parameter in operation.get("parameters", []):
        parameter["description"] = PARAMETER_DESCRIPTIONS[parameter["name"]]
    success = operation["responses"]["200"]
    success["description"] = "The request succeeded."
    success["headers"] = {
        name: {"$ref": f"#/components/headers/{name}"}
        for name in components["headers"]
        if not name.startswith(OTHER_STATUSES)
    }
    if operation["operationId"] == "getHealth":
        success["headers"]["Cache-Control"] = {"$ref": "#/components/headers/Cache-Control-Health"}
    for name, problem in components["responses"].items():
        status = problem["content"][PROBLEM_JSON]["example"]["status"]
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/{name}"}
