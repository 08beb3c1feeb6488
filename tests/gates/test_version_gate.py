"""The version gate requires a new version for a changed contract."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from api.schema import openapi_description
from catalogue.models import App
from site_mirror.gates.compatibility import (
    count_promises,
    find_contract_changes,
    find_version_failures,
)
from site_mirror.gates.schemas import VersionBump
from tests.freeze import sites
from tests.gates.broken_families import run_refused_freeze

Description = dict[str, Any]
Edit = Callable[[Description], object]

LOCALIZED = {"type": "object", "properties": {"en": {"type": "string"}}, "required": ["en"]}
ITEM: Description = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "enum": ["one", "two"]},
        "name": {"allOf": [{"$ref": "#/components/schemas/Localized"}], "description": "A name."},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "since": {"type": "string", "pattern": "^[0-9]{4}$"},
        "note": {"type": ["string", "null"]},
        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["id", "name"],
    "additionalProperties": False,
}
CONTRACT: Description = {
    "info": {"version": "1.2.0"},
    "paths": {
        "/items/{itemId}": {
            "get": {
                "operationId": "getItem",
                "parameters": [
                    {
                        "name": "itemId",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "string", "enum": ["one", "two"]},
                    }
                ],
                "responses": {
                    "200": {
                        "headers": {"Limit": {"$ref": "#/components/headers/Limit"}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Item"}}
                        },
                    },
                    "404": {"$ref": "#/components/responses/NotFound"},
                },
            }
        }
    },
    "components": {
        "schemas": {"Item": ITEM, "Localized": LOCALIZED},
        "headers": {"Limit": {"required": True, "schema": {"type": "integer"}}},
        "responses": {"NotFound": {"description": "Nothing."}},
    },
}
OPERATION = CONTRACT["paths"]["/items/{itemId}"]["get"]
PLACE = "GET /items/{itemId}"
BODY = f"{PLACE} 200 application/json"


def edit_contract(edit: Edit) -> Description:
    description = copy.deepcopy(CONTRACT)
    edit(description)
    return description


def item_schema(description: Description) -> Description:
    found: Description = description["components"]["schemas"]["Item"]
    return found


def get_operation(description: Description) -> Description:
    found: Description = description["paths"]["/items/{itemId}"]["get"]
    return found


INCOMPATIBLE: dict[str, Edit] = {
    f"{PLACE} is gone": lambda it: it["paths"].clear(),
    f"{PLACE} was named getItem and is item": lambda it: get_operation(it).update(
        operationId="item"
    ),
    f"{PLACE} 404 is gone": lambda it: get_operation(it)["responses"].pop("404"),
    f"{BODY} is gone": lambda it: get_operation(it)["responses"]["200"]["content"].clear(),
    f"{PLACE} 200 Limit is gone": lambda it: get_operation(it)["responses"]["200"][
        "headers"
    ].clear(),
    f"{PLACE} 200 Limit was required and is optional": lambda it: it["components"]["headers"][
        "Limit"
    ].update(required=False),
    f"{PLACE} {{itemId}} is gone": lambda it: get_operation(it)["parameters"].clear(),
    f"{PLACE} {{itemId}} had the pattern None and has ^o": lambda it: get_operation(it)[
        "parameters"
    ][0]["schema"].update(pattern="^o"),
    f"{BODY}.since is gone": lambda it: item_schema(it)["properties"].pop("since"),
    f"{BODY}.name was required and is optional": lambda it: item_schema(it)["required"].remove(
        "name"
    ),
    f"{BODY}.name.en was required and is optional": lambda it: it["components"]["schemas"][
        "Localized"
    ].update(required=[]),
    f"{BODY}.since was string and is integer": lambda it: item_schema(it)["properties"][
        "since"
    ].update(type="integer"),
    f"{BODY}.kind was string and is null or string": lambda it: item_schema(it)["properties"][
        "kind"
    ].update(type=["string", "null"]),
    f"{BODY}.kind may now be c": lambda it: item_schema(it)["properties"]["kind"]["enum"].append(
        "c"
    ),
    f"{BODY}.kind is no longer one of a closed set": lambda it: item_schema(it)["properties"][
        "kind"
    ].pop("enum"),
    f"{BODY}.since had the pattern ^[0-9]{{4}}$ and has None": lambda it: item_schema(it)[
        "properties"
    ]["since"].pop("pattern"),
    f"{BODY}.either has another anyOf": lambda it: item_schema(it)["properties"]["either"][
        "anyOf"
    ].pop(),
    f"{BODY} may now have members of any name": lambda it: item_schema(it).pop(
        "additionalProperties"
    ),
}
ADDED: dict[str, Edit] = {
    "GET /more is new": lambda it: it["paths"].update({"/more": {"get": OPERATION}}),
    f"{PLACE} 410 is new": lambda it: get_operation(it)["responses"].update({"410": {}}),
    f"{BODY}.more is new": lambda it: item_schema(it)["properties"].update(more={"type": "string"}),
    f"{BODY}.name.vi is new": lambda it: it["components"]["schemas"]["Localized"][
        "properties"
    ].update(vi={"type": "string"}),
    f"{BODY}.kind may no longer be b": lambda it: item_schema(it)["properties"]["kind"][
        "enum"
    ].pop(),
    f"{BODY}.note was null or string and is string": lambda it: item_schema(it)["properties"][
        "note"
    ].update(type="string"),
    f"{BODY}.since was optional and is required": lambda it: item_schema(it)["required"].append(
        "since"
    ),
}


def add_an_item(description: Description) -> None:
    item_schema(description)["properties"]["id"]["enum"].append("three")
    get_operation(description)["parameters"][0]["schema"]["enum"].append("three")


SILENT: dict[str, Edit] = {
    "another description": lambda it: item_schema(it).update(description="Another."),
    "an example": lambda it: item_schema(it)["properties"]["since"].update(example="2020"),
    "an item of the content": add_an_item,
}


@pytest.mark.parametrize(("said", "edit"), INCOMPATIBLE.items(), ids=INCOMPATIBLE)
def test_an_incompatible_change_needs_a_new_major_version(said: str, edit: Edit) -> None:
    now = edit_contract(edit)

    found = {str(change): change.bump for change in find_contract_changes(CONTRACT, now)}

    assert found[said] is VersionBump.MAJOR
    assert f"{said}: that takes apiVersion 2.0.0, and it is 1.2.0" in [
        *find_version_failures(CONTRACT, now)
    ]
    assert [*find_version_failures(CONTRACT, now | {"info": {"version": "1.3.0"}})] != []
    assert [*find_version_failures(CONTRACT, now | {"info": {"version": "2.0.0"}})] == []


@pytest.mark.parametrize(("said", "edit"), ADDED.items(), ids=ADDED)
def test_an_addition_needs_a_new_minor_version(said: str, edit: Edit) -> None:
    now = edit_contract(edit)

    assert [*find_version_failures(CONTRACT, now)] == [
        f"{said}: that takes apiVersion 1.3.0, and it is 1.2.0"
    ]
    assert [*find_version_failures(CONTRACT, now | {"info": {"version": "1.2.1"}})] != []
    assert [*find_version_failures(CONTRACT, now | {"info": {"version": "1.3.0"}})] == []


@pytest.mark.parametrize("edit", SILENT.values(), ids=SILENT)
def test_changed_texts_and_content_need_no_new_version(edit: Edit) -> None:
    assert [*find_version_failures(CONTRACT, edit_contract(edit))] == []


def test_a_version_does_not_go_back() -> None:
    [failure] = find_version_failures(CONTRACT, CONTRACT | {"info": {"version": "1.1.9"}})

    assert failure == "the contract was 1.2.0 and is 1.1.9, which is older"


def test_the_size_of_a_contract_counts_its_promises() -> None:
    assert count_promises(CONTRACT) == 1 + 1 + 1 + 8


def test_a_contract_that_promises_less_than_the_published_one_is_refused(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def less(at: Any) -> Description:
        description: Description = orjson.loads(orjson.dumps(openapi_description(at)))
        description["components"]["schemas"]["Post"]["required"].remove("excerpt")
        return description

    monkeypatch.setattr("site_mirror.documents.openapi.openapi_description", less)

    refused = run_refused_freeze(site)

    said = "was required and is optional: that takes apiVersion 2.0.0, and it is 1.0.0"
    assert refused.failures("version") == (
        f"GET /posts 200 application/json.data[].excerpt {said}",
        f"GET /posts/{{slug}} 200 application/json.data.excerpt {said}",
    )
    assert (refused.code, refused.failed) == (1, {"version"})


def test_a_new_app_is_not_a_change_of_the_contract(site: Path) -> None:
    app = App.objects.get(slug="stashio")
    app.pk, app.slug = None, "another"
    app.save()

    report = sites.freeze_into(site, sites.LATER)

    assert report.outcome == "published"
