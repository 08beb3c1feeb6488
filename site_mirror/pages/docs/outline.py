"""The pages of the reference, read from the OpenAPI document: operations, objects and topics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from api.contract import PROBLEM_JSON
from api.schema import openapi_description
from catalogue import addresses, questions
from catalogue.models import Page as Row
from site_mirror.documents.context import Context
from site_mirror.pages.blocks import Inline, Link, Literal, Member
from site_mirror.pages.docs import schemas
from site_mirror.pages.docs.schemas import Part, translate
from site_mirror.pages.frame import Frame
from site_mirror.pages.standing import PageOfRows

OPERATION, OBJECT, TOPIC = "operation", "object", "topic"


class OutlineEntry(Struct, frozen=True):
    """A page of the reference in a list. An operation `returns` an object; texts are English."""

    kind: str
    name: str
    title: str
    text: str
    address: str = ""
    returns: str = ""

    @property
    def slug(self) -> str:
        return schemas.slug_of(self.name)

    def link(self, frame: Frame) -> Link:
        page = addresses.reference_page(self.slug)
        return Link(translate(self.title), frame.address_here(page))

    def member(self, frame: Frame) -> Member:
        """Return the entry in a list of the index, where the page was a section formerly."""
        section = f"schema-{self.name}" if self.kind == OBJECT else self.name
        notes: list[Inline] = [Literal(f"GET {self.address}")] if self.address else []
        text = schemas.mark_code(translate(self.text))
        return Member(self.link(frame), notes, text, id=section)


TOPICS = [
    OutlineEntry(TOPIC, *words)
    for words in (
        ("responses", "Statuses and headers", "What statuses and headers mean, with examples."),
        ("examples", "Examples to copy", "Programs that handle errors and keep the limits."),
        ("changes", "Changes of the API", "What has changed in the API, the newest first."),
    )
]


class ReferencePage(Struct, frozen=True):
    """The subject of a page; `part` is of the OpenAPI document, and `example` a value of it."""

    entry: OutlineEntry
    outline: Sequence[OutlineEntry]
    components: Part
    part: Part
    example: Any

    @property
    def slug(self) -> str:
        return self.entry.slug


def read_published(language: str, context: Context) -> Sequence[ReferencePage]:
    """Return the subjects of the pages, which are published in the languages of their index."""
    is_published = context.frames[language].has_standing_page("docs-api")
    return read_reference(context) if is_published else ()


def gather(context: Context, text: Row, language: str) -> PageOfRows:
    return PageOfRows(text, read_reference(context)[0].outline)


@lru_cache(maxsize=1)
def read_reference(context: Context) -> Sequence[ReferencePage]:
    """Return the subjects of all pages, cached because lists of pages need them, too."""
    document = openapi_description(context.at)
    components, operations = document["components"], list_operations(document)
    named = components["schemas"]
    examples = {"Problem": components["responses"]["NotFound"]["content"][PROBLEM_JSON]["example"]}
    for body in map(schemas.success_of, operations):
        if "example" in body:
            for name, value in schemas.values_of_objects(named, body["schema"], body["example"]):
                examples.setdefault(name, value)
    parts = {
        **{operation["operationId"]: operation for operation in operations},
        **named,
        "responses": operations[0]["responses"],
        "examples": {"posts": questions.posts(context.at).count()},
    }
    outline = [*list_entries(operations, named), *TOPICS]
    return [
        ReferencePage(each, outline, components, parts.get(each.name, {}), examples.get(each.name))
        for each in outline
    ]


def list_operations(document: Part) -> list[Part]:
    """Return all operations by groups, each with its address."""
    order = [tag["name"] for tag in document["tags"]]
    found = [
        {**methods["get"], "address": addresses.api_address(path)}
        for path, methods in document["paths"].items()
    ]
    return sorted(found, key=lambda operation: order.index(operation["tags"][0]))


def list_entries(operations: Iterable[Part], named: Mapping[str, Part]) -> Iterator[OutlineEntry]:
    for each in operations:
        body = schemas.name_of(schemas.success_of(each)["schema"])
        data = named[body]["properties"].get("data", {})
        yield OutlineEntry(
            OPERATION,
            each["operationId"],
            each["summary"],
            each["description"],
            address=each["address"],
            returns=schemas.name_of(data.get("items", data)) or body,
        )
    for name in schemas.names_of_objects(named):
        yield OutlineEntry(OBJECT, name, name, named[name]["description"])
