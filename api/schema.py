"""The OpenAPI 3.1 document: the outline that is read off the serializers, made complete.

What the outline does not say is added here once: the headers, the problems, examples from the
content, and that objects have no members but the contract's.
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
    LIFECYCLE,
    ON_EVERY_PROBLEM,
    ON_RATE_LIMIT,
    ON_SUCCESS,
    PROBLEM_VARIANTS,
    headers,
)
from catalogue import addresses, questions
from catalogue.addresses import Site

Schema = dict[str, Any]

SUMMARY = "What a mobile-app studio says about itself, read-only and without a key."
TAGS = {
    "Apps": "The studio's apps.",
    "Posts": "The blog.",
    "Studio": "Who the studio is: profile, people, counters, history.",
    "Knowledge": "The science behind the apps and the rules they keep.",
    "Service": "The API itself: its index, its versions, its health.",
}
PROBLEMS = {
    HTTPStatus.NOT_FOUND: "There is no such resource.",
    HTTPStatus.TOO_MANY_REQUESTS: "The request budget was exceeded.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The live origin cannot ask its database at present.",
}
PARAMETERS = {"appId": "The id of an app.", "slug": "The slug of a post."}
OPEN_OBJECTS = ("Problem",)
"""Objects that may grow: RFC 9457 lets a problem have more members."""


def openapi(at: datetime, outline: bytes | None = None) -> Schema:
    """The whole document, the same live, frozen and from the command line.

    `outline` is what `api.outline.generated` gives; who has it spares the library's work.
    """
    return complete(orjson.loads(outline or fresh()), at)


def fresh() -> bytes:
    from api.outline import generated  # noqa: PLC0415  (who has an outline needs no views)

    return generated()


def complete(result: Schema, at: datetime) -> Schema:
    """The finished document of an outline, which is used up."""
    site = Site(settings.SITE_ROOT)
    info = result["info"] | {"summary": SUMMARY} | contact(site, at)
    components = result["components"]
    components["headers"] = headers(site)
    components["responses"] = problem_responses(site)
    components["schemas"] |= {"Problem": PROBLEM_SCHEMA}
    close_objects(components["schemas"])
    name_apps(result, [app.slug for app in questions.apps(at)])
    bodies = examples.bodies(site, at)
    for operation in operations(result):
        complete_operation(operation, bodies)
    return dict(
        without_marks(
            {
                "openapi": result["openapi"],
                "info": info,
                "servers": result["servers"],
                "externalDocs": {
                    "description": "Documentation for people",
                    "url": site.url(addresses.DOCUMENTATION),
                },
                "security": [],
                "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
                "paths": result["paths"],
                "components": components,
            }
        )
    )


def contact(site: Site, at: datetime) -> Schema:
    """Who to write to; nothing before there is a studio."""
    studio = questions.studio(at).first()
    if studio is None:
        return {}
    return {"contact": {"name": studio.name, "url": site.url("/"), "email": studio.email}}


def operations(result: Schema) -> Iterator[Schema]:
    return (operation for path in result["paths"].values() for operation in path.values())


def complete_operation(operation: Schema, bodies: dict[str, Schema]) -> None:
    """Headers, problems, an example and the parameter's meaning for one operation."""
    for parameter in operation.get("parameters", []):
        parameter["description"] = PARAMETERS[parameter["name"]]
    success = operation["responses"]["200"]
    success["description"] = operation["summary"]
    variants = HEALTH_VARIANTS if operation["operationId"] == "getHealth" else {}
    success["headers"] = header_references(ON_SUCCESS, variants)
    if body := bodies.get(operation["operationId"]):
        success["content"][JSON]["example"] = body
    for status in PROBLEMS:
        operation["responses"][str(int(status))] = {"$ref": reference("responses", named(status))}


def named(status: HTTPStatus) -> str:
    """A component's name: 404 → `NotFound`."""
    return status.phrase.replace(" ", "")


def reference(kind: str, name: str) -> str:
    return f"#/components/{kind}/{name}"


def header_references(names: tuple[str, ...], variants: Mapping[str, str]) -> Schema:
    """References to `components/headers`; `variants` maps names to components of another name."""
    return {name: {"$ref": reference("headers", variants.get(name, name))} for name in names}


def problem_responses(site: Site) -> Schema:
    return {
        named(status): {
            "description": description,
            "headers": header_references(PROBLEM_HEADERS[status], PROBLEM_VARIANTS[status]),
            "content": {
                PROBLEM_JSON: {
                    "schema": {"$ref": reference("schemas", "Problem")},
                    "example": examples.decoded(problem_body(site, status)),
                }
            },
        }
        for status, description in PROBLEMS.items()
    }


PROBLEM_HEADERS = {
    HTTPStatus.NOT_FOUND: ON_EVERY_PROBLEM + LIFECYCLE,
    HTTPStatus.TOO_MANY_REQUESTS: ON_EVERY_PROBLEM + LIFECYCLE + ON_RATE_LIMIT,
    HTTPStatus.SERVICE_UNAVAILABLE: (*ON_EVERY_PROBLEM, "Retry-After"),
}


PROBLEM_SCHEMA: Schema = {
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


def close_objects(schemas: Schema) -> None:
    """The contract's members and no others, and no value of a closed set twice."""
    for name, schema in schemas.items():
        for part in every_part(schema):
            closed = part.get("type") == "object" and name not in OPEN_OBJECTS
            if closed and "properties" in part:
                part.setdefault("additionalProperties", False)
            if part.get("type") == "array" and "enum" in part.get("items", {}):
                part["uniqueItems"] = True


def every_part(schema: Any) -> Iterator[Schema]:
    """A schema and every mapping inside it."""
    if isinstance(schema, dict):
        yield schema
    children = schema.values() if isinstance(schema, dict) else schema
    if isinstance(schema, (dict, list)):
        for child in children:
            yield from every_part(child)


def name_apps(result: Schema, slugs: list[str]) -> None:
    """App ids are data: the document lists those that are published."""
    if not slugs:
        return
    schemas = result["components"]["schemas"]
    schemas["App"]["properties"]["id"]["enum"] = slugs
    schemas["ScienceTopic"]["properties"]["apps"]["items"]["enum"] = slugs
    for operation in operations(result):
        for parameter in operation.get("parameters", []):
            if parameter["name"] == "appId":
                parameter["schema"]["enum"] = slugs


def without_marks(part: Any) -> Any:
    """The document without the library's own bookkeeping members."""
    if isinstance(part, dict):
        kept = {name: value for name, value in part.items() if name != "x-spec-enum-id"}
        return {name: without_marks(value) for name, value in kept.items()}
    if isinstance(part, list):
        return [without_marks(item) for item in part]
    return part
