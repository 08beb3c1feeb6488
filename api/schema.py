"""The OpenAPI 3.1 document: the outline of the views and serializers, and additions to it.

The additions are the headers, the problems, examples from the content, and that objects have only
the members of the contract.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

import orjson
from django.conf import settings

from api import examples
from api.contract import JSON, PROBLEM_JSON
from api.problems import problem_body
from api.schema_headers import (
    HEALTH_VARIANTS,
    LIFECYCLE_HEADER_NAMES,
    ON_EVERY_PROBLEM,
    ON_RATE_LIMIT,
    ON_SUCCESS,
    PROBLEM_VARIANTS,
    header_components,
)
from catalogue import addresses, questions
from catalogue.addresses import Site

OpenApiPart = dict[str, Any]

SUMMARY = "What a mobile-app studio says about itself, read-only and without a key."
TAG_DESCRIPTIONS = {
    "Apps": "The studio's apps.",
    "Posts": "The blog.",
    "Studio": "Who the studio is: profile, people, counters, history.",
    "Knowledge": "The science behind the apps and the rules they keep.",
    "Service": "The API itself: its index, its versions, its health.",
}
PROBLEM_DESCRIPTIONS = {
    HTTPStatus.NOT_FOUND: "There is no such resource.",
    HTTPStatus.TOO_MANY_REQUESTS: "The request budget was exceeded.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The live origin cannot ask its database at present.",
}
PARAMETER_DESCRIPTIONS = {"appId": "The id of an app.", "slug": "The slug of a post."}
OPEN_OBJECTS = ("Problem",)
"""Objects that may have other members; RFC 9457 allows them for a problem."""


def openapi_description(at: datetime, outline: bytes = b"") -> OpenApiPart:
    """Return the whole document, which is the same live, frozen and from the command line.

    `outline` is a result of `read_outline` for the same program and settings.
    """
    return complete_outline(orjson.loads(outline or read_outline()), at)


def read_outline() -> bytes:
    """Return the document without content, which is generated once for each process."""
    from api.schema_outline import generate_outline  # noqa: PLC0415  (a freeze that has it needs no views)

    return generate_outline(settings.SITE_ROOT)


def complete_outline(result: OpenApiPart, at: datetime) -> OpenApiPart:
    """Return the finished document of an outline; the outline is changed."""
    site = Site(settings.SITE_ROOT)
    info = result["info"] | {"summary": SUMMARY} | contact_info(site, at)
    components = result["components"]
    components["headers"] = header_components(site)
    components["responses"] = problem_responses(site)
    components["schemas"] |= {"Problem": PROBLEM_SCHEMA}
    close_objects(components["schemas"])
    list_app_ids(result, [app.slug for app in questions.apps(at)])
    bodies = examples.example_bodies(site, at)
    for operation in operations_in(result):
        complete_operation(operation, bodies)
    return dict(
        remove_marks(
            {
                "openapi": result["openapi"],
                "info": info,
                "servers": result["servers"],
                "externalDocs": {
                    "description": "Documentation for people",
                    "url": site.url(addresses.DOCUMENTATION),
                },
                "security": [],
                "tags": [
                    {"name": name, "description": text} for name, text in TAG_DESCRIPTIONS.items()
                ],
                "paths": result["paths"],
                "components": components,
            }
        )
    )


def contact_info(site: Site, at: datetime) -> OpenApiPart:
    """Return the contact; nothing if there is no studio yet."""
    studio = questions.studio(at).first()
    if studio is None:
        return {}
    return {"contact": {"name": studio.name, "url": site.url("/"), "email": studio.email}}


def operations_in(result: OpenApiPart) -> Iterator[OpenApiPart]:
    return (operation for path in result["paths"].values() for operation in path.values())


def complete_operation(operation: OpenApiPart, bodies: dict[str, OpenApiPart]) -> None:
    """Add headers, problems, an example and descriptions of parameters to an operation."""
    for parameter in operation.get("parameters", []):
        parameter["description"] = PARAMETER_DESCRIPTIONS[parameter["name"]]
    success = operation["responses"]["200"]
    success["description"] = operation["summary"]
    variants = HEALTH_VARIANTS if operation["operationId"] == "getHealth" else {}
    success["headers"] = header_references(ON_SUCCESS, variants)
    if body := bodies.get(operation["operationId"]):
        success["content"][JSON]["example"] = body
    for status in PROBLEM_DESCRIPTIONS:
        operation["responses"][str(int(status))] = {
            "$ref": reference("responses", component_name(status))
        }


def component_name(status: HTTPStatus) -> str:
    """Return the name of a component: 404 → `NotFound`."""
    return status.phrase.replace(" ", "")


def reference(kind: str, name: str) -> str:
    return f"#/components/{kind}/{name}"


def header_references(names: tuple[str, ...], variants: Mapping[str, str]) -> OpenApiPart:
    """Return references to `components/headers`; `variants` maps headers to other components."""
    return {name: {"$ref": reference("headers", variants.get(name, name))} for name in names}


def problem_responses(site: Site) -> OpenApiPart:
    return {
        component_name(status): {
            "description": description,
            "headers": header_references(PROBLEM_HEADERS[status], PROBLEM_VARIANTS[status]),
            "content": {
                PROBLEM_JSON: {
                    "schema": {"$ref": reference("schemas", "Problem")},
                    "example": examples.decode_body(problem_body(site, status)),
                }
            },
        }
        for status, description in PROBLEM_DESCRIPTIONS.items()
    }


PROBLEM_HEADERS = {
    HTTPStatus.NOT_FOUND: ON_EVERY_PROBLEM + LIFECYCLE_HEADER_NAMES,
    HTTPStatus.TOO_MANY_REQUESTS: ON_EVERY_PROBLEM + LIFECYCLE_HEADER_NAMES + ON_RATE_LIMIT,
    HTTPStatus.SERVICE_UNAVAILABLE: (*ON_EVERY_PROBLEM, "Retry-After"),
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


def list_app_ids(result: OpenApiPart, slugs: list[str]) -> None:
    """List the ids of the published apps as the only values of app ids."""
    if not slugs:
        return
    schemas = result["components"]["schemas"]
    schemas["App"]["properties"]["id"]["enum"] = slugs
    schemas["ScienceTopic"]["properties"]["apps"]["items"]["enum"] = slugs
    for operation in operations_in(result):
        for parameter in operation.get("parameters", []):
            if parameter["name"] == "appId":
                parameter["schema"]["enum"] = slugs


def remove_marks(part: Any) -> Any:
    """Return the document without the internal members of the library."""
    if isinstance(part, dict):
        kept = {name: value for name, value in part.items() if name != "x-spec-enum-id"}
        return {name: remove_marks(value) for name, value in kept.items()}
    if isinstance(part, list):
        return [remove_marks(item) for item in part]
    return part
