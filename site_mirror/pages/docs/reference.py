"""The reference of the API: the editors' text, examples, and the OpenAPI document as tables."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from api.contract import JSON
from api.schema import openapi_description
from catalogue import addresses, questions
from catalogue.models import App
from catalogue.models import Page as Row
from site_mirror.documents import assets
from site_mirror.documents.context import Context
from site_mirror.pages.blocks import (
    ApiRequest,
    Block,
    Facts,
    Inline,
    Link,
    Links,
    Listing,
    Literal,
    Paragraph,
    Section,
    Table,
)
from site_mirror.pages.docs.examples import example_sections
from site_mirror.pages.docs.schemas import (
    NO_VALUE,
    Part,
    Schemas,
    join_inline,
    yes_or_no,
)
from site_mirror.pages.docs.swagger import SWAGGER_ADDRESS, SWAGGER_TITLE
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing

MAX_LINE_CHARACTERS = 80
"""The longest line of an example on which an object or a list stands whole."""


class ApiReference(Struct, frozen=True):
    """The subject: the editors' text, the OpenAPI document, all apps and the number of articles."""

    page: Row
    document: Part
    apps: Sequence[App]
    posts: int


def gather(context: Context, text: Row, language: str) -> ApiReference:
    at = context.at
    posts = questions.posts(at).count()
    return ApiReference(text, openapi_description(at), list(questions.apps(at)), posts)


def compose(frame: Frame, subject: ApiReference) -> PageContent:
    parts = list(Reference(frame, subject).sections())
    page = compose_standing(frame, subject.page, parts, style="reference")
    within = [Link(part.title, f"#{part.id}") for part in parts]
    beside = [
        frame.link(SWAGGER_TITLE, SWAGGER_ADDRESS, translated=True),
        Link(_("OpenAPI document"), addresses.OPENAPI),
    ]
    contents = Links("", [*within, *beside], "contents")
    script = assets.asset_address("reference.js")
    return replace(page, blocks=[contents, *page.blocks], script=script)


class Reference:
    """The sections of the page, in the language of its frame."""

    def __init__(self, frame: Frame, subject: ApiReference) -> None:
        self.frame, self.subject, self.document = frame, subject, subject.document
        self.schemas = Schemas(frame, subject.document)

    def sections(self) -> Iterator[Section]:
        examples = list(example_sections(self.frame, self.subject.apps, self.subject.posts))
        yield Section("examples-to-copy", _("Examples to copy"), examples, "examples")
        operations = self.operations()
        each = [self.operation_section(operation) for operation in operations]
        overview = self.overview(operations)
        yield Section("all-operations", _("All operations"), [overview, *each], "operations")
        objects = [self.object_section(name) for name in self.schemas.shared]
        yield Section("shared-objects", _("Shared objects"), objects, "objects")
        tables = [self.status_table(), self.header_table(operations)]
        yield Section("all-answers", _("Responses"), tables, "answers")

    def operations(self) -> list[Part]:
        """Return all operations by groups, each with its address."""
        order = [tag["name"] for tag in self.document["tags"]]
        found = [
            {**methods["get"], "address": addresses.api_address(path)}
            for path, methods in self.document["paths"].items()
        ]
        return sorted(found, key=lambda operation: order.index(operation["tags"][0]))

    def resolve(self, part: Part) -> Part:
        """Return the component that a part refers to, or the part itself."""
        path = part["$ref"].split("/")[1:] if "$ref" in part else []
        return reduce(getitem, path, self.document) if path else part

    def overview(self, operations: list[Part]) -> Table:
        headings = [_("Operation"), _("Request"), _("Response"), _("Group")]
        rows: list[list[Inline]] = [
            [
                Link(operation["operationId"], f"#{operation['operationId']}"),
                Literal(f"GET {operation['address']}"),
                self.schemas.translate(operation["summary"]),
                self.schemas.translate(operation["tags"][0]),
            ]
            for operation in operations
        ]
        return Table(_("Operations at a glance"), headings, rows)

    def operation_section(self, operation: Part) -> Section:
        name, title = operation["operationId"], self.schemas.translate(operation["summary"])
        return Section(name, title, list(self.operation_blocks(operation)), style="operation")

    def operation_blocks(self, operation: Part) -> Iterator[Block]:
        body = operation["responses"]["200"]["content"][JSON]
        example = body.get("example")
        parameters = operation.get("parameters", ())
        address = operation["address"]
        if parameters:  # The address of the example is that of a published row, if there is one.
            address = example["self"].removeprefix(self.frame.site.root) if example else ""
        yield Paragraph(self.schemas.text(operation["description"]))
        yield ApiRequest(operation["operationId"], operation["address"], address)
        if parameters:
            yield self.parameter_table(parameters, address.rpartition("/")[2])
        yield self.schemas.table(_("Response fields"), body["schema"])
        # Statuses are not links, because absolute links would be a tenth of the mirror's size.
        statuses = [Literal(status) for status in operation["responses"]]
        yield Facts({_("Responses"): statuses})
        if example:
            whole, one = _("Example"), _("Example, shortened to one item")
            yield Listing(one if is_shortened(example) else whole, "json", readable_json(example))

    def parameter_table(self, parameters: Sequence[Part], example: str) -> Table:
        headings = [_("Name"), _("In"), _("Type"), _("Required"), _("Example"), _("Meaning")]
        rows: list[list[Inline]] = [
            [
                Literal(part["name"]),
                Literal(part["in"]),
                self.schemas.type_of(part["schema"]),
                yes_or_no(part.get("required", False)),
                Literal(example) if example else NO_VALUE,
                self.schemas.meaning(part.get("description", ""), part["schema"]),
            ]
            for part in parameters
        ]
        return Table(_("Parameters"), headings, rows)

    def object_section(self, name: str) -> Section:
        schema = self.schemas.named[name]
        about = Paragraph(self.schemas.text(schema["description"]))
        table = self.schemas.table(_("Fields of %(object)s") % {"object": name}, schema)
        is_problem = name == "Problem"
        more = self.frame.standing_link(_("Problem types"), "docs-problems") if is_problem else None
        return Section(f"schema-{name}", name, [about, table], "object", more)

    def status_table(self) -> Table:
        headings = [_("Status"), _("Media type"), _("Body"), _("Meaning")]
        success = [_("see each operation"), _("Success")]
        rows: list[list[Inline]] = [[Literal("200 OK"), Literal(JSON), *success]]
        for response in self.document["components"]["responses"].values():
            [(media_type, body)] = response["content"].items()
            rows.append(
                [
                    Literal(f"{body['example']['status']} {body['example']['title']}"),
                    Literal(media_type),
                    self.schemas.type_of(body["schema"]),
                    self.schemas.text(response["description"]),
                ]
            )
        return Table(_("Statuses at a glance"), headings, rows)

    def header_table(self, operations: list[Part]) -> Table:
        """Return a table of headers; one whose value depends on the status has several rows."""
        statuses: dict[tuple[str, str], dict[str, None]] = {}
        for operation in operations:
            for status, response in operation["responses"].items():
                for name, header in self.resolve(response)["headers"].items():
                    statuses.setdefault((name, header["$ref"]), {})[status] = None
        headings = [_("Header"), _("Comes with"), _("Always"), _("Example"), _("Meaning")]
        rows = list[list[Inline]]()
        for (name, reference), found in statuses.items():
            header = self.resolve({"$ref": reference})
            row = [
                Literal(name),
                join_inline([Literal(status) for status in found]),
                yes_or_no(header["required"]),
                Literal(str(header["example"])),
                self.schemas.meaning(header["description"], header["schema"]),
            ]
            rows.append(row)
        return Table(_("Headers at a glance"), headings, rows)


def is_shortened(example: Part) -> bool:
    """Whether an example leaves out items: of a list, or of the endpoints in the index."""
    return "endpoints" in example or example.get("meta", {}).get("count", 1) > 1


def readable_json(value: Any, depth: int = 0) -> str:
    """Return JSON in which an object or a list that fits into a line is written on one."""
    line = json.dumps(value, ensure_ascii=False)
    inside, end = "\n" + "  " * (depth + 1), "\n" + "  " * depth
    fits = depth > 0 and len(end) - 1 + len(line) <= MAX_LINE_CHARACTERS
    if fits or not value or not isinstance(value, Mapping | list):
        return line
    named = value.items() if isinstance(value, Mapping) else (("", part) for part in value)
    parts = [
        inside + (f'"{name}": ' if name else "") + readable_json(part, depth + 1)
        for name, part in named
    ]
    return f"{line[0]}{','.join(parts)}{end}{line[-1]}"
