"""How objects of an OpenAPI document are read: dotted names, and what stands in several places."""

from typing import Any

import pytest

from site_mirror.pages.docs.schemas import Member, Schemas, UnknownSchema, Value

TEXT = {"type": "string"}
A_NAME = {"type": "object", "properties": {"en": TEXT}, "required": ["en"]}
NAME = {"$ref": "#/components/schemas/Name"}
A_PART = {"$ref": "#/components/schemas/Part"}


def schemas(*uses: dict[str, Any]) -> Schemas:
    """Of a document that has the object `Name`, in these places."""
    return Schemas({"paths": {"/": list(uses)}, "components": {"schemas": {"Name": A_NAME}}})


def members(schema: dict[str, Any], *uses: dict[str, Any]) -> list[Member]:
    return list(schemas(schema, *uses).members(schema))


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        ({"id": TEXT}, ["id"]),
        ({"links": an_object(self=TEXT, web=TEXT)}, ["links", "links.self", "links.web"]),
        ({"tags": {"type": "array", "items": TEXT}}, ["tags"]),
        ({"data": {"type": "array", "items": an_object(id=TEXT)}}, ["data", "data[].id"]),
        ({"name": NAME}, ["name", "name.en"]),
        ({"names": {"type": "array", "items": NAME}}, ["names", "names[].en"]),
        ({"name": {"allOf": [NAME], "description": "Its name."}}, ["name", "name.en"]),
        ({"endpoints": {"type": "object", "additionalProperties": TEXT}}, ["endpoints"]),
    ],
)
def test_a_member_inside_another_has_a_dotted_name(
    properties: dict[str, Any], names: list[str]
) -> None:
    assert [member.name for member in members(an_object(**properties))] == names


def test_an_object_that_stands_in_several_places_is_listed_by_itself() -> None:
    answer = an_object(name=NAME, others={"type": "array", "items": NAME})

    assert schemas(answer).shared == ["Name"]
    assert [member.name for member in members(answer)] == ["name", "others"]
    assert members(answer)[0].value == Value("object", shared="Name")
    assert members(answer)[1].value.of == Value("object", shared="Name")


def test_an_object_inside_of_itself_ends() -> None:
    tree = an_object(name=TEXT, child={"$ref": "#/components/schemas/Tree"})
    document = {"paths": {"/": {"$ref": "#/components/schemas/Tree"}}}
    found = Schemas(document | {"components": {"schemas": {"Tree": tree}}})

    assert [member.name for member in found.members(tree)] == ["name", "child"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "format": "uri"}, Value("string", format="uri")),
        ({"type": ["string", "null"]}, Value("string", null=True)),
        (
            {"type": ["null", "integer"], "minimum": 0},
            Value("integer", null=True, limits=(("minimum", 0),)),
        ),
        ({"type": "string", "enum": ["a", "b"]}, Value("string", choices=("a", "b"))),
        ({"type": "array", "items": TEXT}, Value("array", of=Value("string"))),
        ({"type": "object", "additionalProperties": TEXT}, Value("object", of=Value("string"))),
        ({"type": "object", "additionalProperties": False}, Value("object")),
    ],
)
def test_a_schema_says_what_a_value_may_be(schema: dict[str, Any], value: Value) -> None:
    assert schemas().value(schema) == value


@pytest.mark.parametrize("schema", [{}, {"oneOf": [TEXT, NAME]}, {"type": ["string", "integer"]}])
def test_a_schema_of_another_kind_is_refused_by_what_it_is(schema: dict[str, Any]) -> None:
    with pytest.raises(UnknownSchema, match="neither a reference nor of one JSON type"):
        schemas().value(schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (TEXT, ""),
        (TEXT | {"description": "A word."}, "A word."),
        (A_PART, "A part."),
        ({"allOf": [A_PART], "description": "Its part."}, "Its part."),
        (NAME, ""),
        ({"allOf": [NAME], "description": "Its name."}, "Its name."),
    ],
)
def test_an_object_is_described_where_it_is_listed(schema: dict[str, Any], said: str) -> None:
    described = {"type": "object", "description": "A part."}
    found = Schemas(
        {
            "paths": {"/": [NAME, NAME, A_PART]},
            "components": {"schemas": {"Name": described, "Part": described}},
        }
    )

    assert found.description(schema) == said


def test_required_and_null_are_told_apart() -> None:
    part = an_object(a=TEXT, b={"type": ["string", "null"]}) | {"required": ["b"]}

    assert [(m.name, m.required, m.value.null) for m in members(part)] == [
        ("a", False, False),
        ("b", True, True),
    ]
