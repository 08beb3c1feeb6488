"""Schemas of an OpenAPI document as members with dotted names and as shared objects."""

from typing import Any

import pytest

from site_mirror.pages.docs.schemas import SchemaMember, Schemas, SchemaValue, UnknownSchema

TEXT = {"type": "string"}
A_NAME = {"type": "object", "properties": {"en": TEXT}, "required": ["en"]}
NAME = {"$ref": "#/components/schemas/Name"}
A_PART = {"$ref": "#/components/schemas/Part"}


def make_schemas(*uses: dict[str, Any]) -> Schemas:
    """Return the schemas of a document with the object `Name` and these uses."""
    return Schemas({"paths": {"/": list(uses)}, "components": {"schemas": {"Name": A_NAME}}})


def list_members(schema: dict[str, Any], *uses: dict[str, Any]) -> list[SchemaMember]:
    return list(make_schemas(schema, *uses).members(schema))


def make_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        ({"id": TEXT}, ["id"]),
        ({"links": make_object(self=TEXT, web=TEXT)}, ["links", "links.self", "links.web"]),
        ({"tags": {"type": "array", "items": TEXT}}, ["tags"]),
        ({"data": {"type": "array", "items": make_object(id=TEXT)}}, ["data", "data[].id"]),
        ({"name": NAME}, ["name", "name.en"]),
        ({"names": {"type": "array", "items": NAME}}, ["names", "names[].en"]),
        ({"name": {"allOf": [NAME], "description": "Its name."}}, ["name", "name.en"]),
        ({"endpoints": {"type": "object", "additionalProperties": TEXT}}, ["endpoints"]),
    ],
)
def test_a_member_inside_another_has_a_dotted_name(
    properties: dict[str, Any], names: list[str]
) -> None:
    assert [member.name for member in list_members(make_object(**properties))] == names


def test_an_object_that_stands_in_several_places_is_listed_by_itself() -> None:
    answer = make_object(name=NAME, others={"type": "array", "items": NAME})

    assert make_schemas(answer).shared == ["Name"]
    assert [member.name for member in list_members(answer)] == ["name", "others"]
    assert list_members(answer)[0].value == SchemaValue("object", shared="Name")
    assert list_members(answer)[1].value.of == SchemaValue("object", shared="Name")


def test_a_recursive_object_is_listed_once() -> None:
    tree = make_object(name=TEXT, child={"$ref": "#/components/schemas/Tree"})
    document = {"paths": {"/": {"$ref": "#/components/schemas/Tree"}}}
    found = Schemas(document | {"components": {"schemas": {"Tree": tree}}})

    assert [member.name for member in found.members(tree)] == ["name", "child"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "format": "uri"}, SchemaValue("string", format="uri")),
        ({"type": ["string", "null"]}, SchemaValue("string", null=True)),
        (
            {"type": ["null", "integer"], "minimum": 0},
            SchemaValue("integer", null=True, limits=(("minimum", 0),)),
        ),
        ({"type": "string", "enum": ["a", "b"]}, SchemaValue("string", choices=("a", "b"))),
        ({"type": "array", "items": TEXT}, SchemaValue("array", of=SchemaValue("string"))),
        (
            {"type": "object", "additionalProperties": TEXT},
            SchemaValue("object", of=SchemaValue("string")),
        ),
        ({"type": "object", "additionalProperties": False}, SchemaValue("object")),
    ],
)
def test_a_schema_describes_a_value(schema: dict[str, Any], value: SchemaValue) -> None:
    assert make_schemas().value(schema) == value


@pytest.mark.parametrize("schema", [{}, {"oneOf": [TEXT, NAME]}, {"type": ["string", "integer"]}])
def test_an_unsupported_schema_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(UnknownSchema, match="neither a reference nor of one JSON type"):
        make_schemas().value(schema)


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        (TEXT, ""),
        (TEXT | {"description": "A word."}, "A word."),
        (A_PART, "A part."),
        ({"allOf": [A_PART], "description": "Its part."}, "Its part."),
        (NAME, ""),
        ({"allOf": [NAME], "description": "Its name."}, "Its name."),
    ],
)
def test_an_object_is_described_where_it_is_listed(
    schema: dict[str, Any], description: str
) -> None:
    described = {"type": "object", "description": "A part."}
    result = Schemas(
        {
            "paths": {"/": [NAME, NAME, A_PART]},
            "components": {"schemas": {"Name": described, "Part": described}},
        }
    )

    assert result.description(schema) == description


def test_required_and_null_are_independent() -> None:
    part = make_object(a=TEXT, b={"type": ["string", "null"]}) | {"required": ["b"]}

    assert [(m.name, m.required, m.value.null) for m in list_members(part)] == [
        ("a", False, False),
        ("b", True, True),
    ]
