"""The OpenAPI 3.1 document: the contract, which is committed, with the content of a moment.

The contract (`api/openapi.json`) is what clients rely on. `api.schema_generation` makes it of the
views and serializers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from api import examples
from api.contract import JSON
from catalogue import questions
from catalogue.addresses import Site
from catalogue.triggers import revision

OpenApiPart = dict[str, Any]

CONTRACT_FILE = Path(__file__).with_name("openapi.json")
VALUES = "x-enumDescriptions"
"""The member of a schema that explains the values of its enumeration, a convention of Redocly."""
EXAMPLE_ROOT = "https://studio.example"
"""The root of the site in the contract, in whose place a deployment has its own."""


@dataclass(frozen=True)
class Published:
    """The content `at` a moment; two values are equal if nothing public changed between them."""

    root: str
    last_change: datetime
    at: datetime = field(compare=False)


def openapi_description(at: datetime, last_change: datetime | None = None) -> OpenApiPart:
    """Return the whole document, which is the same live, frozen and from the command line.

    `last_change` is the moment of the last public change, if it is known.
    """
    last_change = last_change or revision.last_public_change(at)
    return describe(Published(settings.SITE_ROOT, last_change, at))


@lru_cache(maxsize=1)
def describe(published: Published) -> OpenApiPart:
    """Return the document, cached because its examples take a query for each kind of row."""
    site, at = Site(published.root), published.at
    description = read_contract(site)
    description["info"] |= contact_info(site, at)
    list_app_ids(description, {app.slug: app.name for app in questions.apps(at)})
    bodies = examples.example_bodies(site, at)
    for operation in operations_in(description):
        if body := bodies.get(operation["operationId"]):
            operation["responses"]["200"]["content"][JSON]["example"] = body
    return description


def read_contract(site: Site) -> OpenApiPart:
    text = CONTRACT_FILE.read_bytes().replace(EXAMPLE_ROOT.encode(), site.root.encode())
    return dict(orjson.loads(text))


def contact_info(site: Site, at: datetime) -> OpenApiPart:
    studio = questions.studio(at).first()
    if studio is None:
        return {}
    return {"contact": {"name": studio.name, "url": site.url("/"), "email": studio.email}}


def operations_in(result: OpenApiPart) -> Iterator[OpenApiPart]:
    return (operation for path in result["paths"].values() for operation in path.values())


def list_app_ids(result: OpenApiPart, names: dict[str, str]) -> None:
    """List the ids of the published apps, with their names, as the only values of app ids."""
    if not names:
        return
    schemas = result["components"]["schemas"]
    ids = [
        schemas["App"]["properties"]["id"],
        schemas["ScienceTopic"]["properties"]["apps"]["items"],
        *(
            parameter["schema"]
            for operation in operations_in(result)
            for parameter in operation.get("parameters", [])
            if parameter["name"] == "appId"
        ),
    ]
    for schema in ids:
        schema |= {"enum": [*names], VALUES: names}
