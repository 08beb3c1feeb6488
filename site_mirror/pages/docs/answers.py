"""The section of the reference about the statuses and headers of all responses."""

from collections.abc import Mapping
from http import HTTPStatus

from django.utils.translation import gettext as _

from site_mirror.pages.blocks import Inline, Literal, Section, Table
from site_mirror.pages.docs import phrases
from site_mirror.pages.docs.operations import (
    DocumentPart,
    OpenApiDocument,
    Operation,
    responses_by_status,
    statuses_by_header,
)
from site_mirror.pages.docs.schemas import Schemas
from site_mirror.pages.frame import Frame

RESPONSES_ID = "all-answers"
"""The id of the section."""


def responses_section(
    frame: Frame, document: OpenApiDocument, schemas: Schemas, operations: list[Operation]
) -> Section:
    definitions = document["components"]["headers"]
    tables = [
        status_table(frame, schemas, operations),
        header_table(frame, definitions, schemas, operations),
    ]
    return Section(RESPONSES_ID, _("Answers"), tables, "answers")


def status_table(frame: Frame, schemas: Schemas, operations: list[Operation]) -> Table:
    """Return a table of statuses; the meaning is a general one if operations differ in it."""
    headings = [_("Status"), _("Media type"), _("Body"), _("Meaning")]
    rows = [status_row(frame, schemas, *each) for each in responses_by_status(operations).items()]
    return Table(_("Statuses at a glance"), headings, rows)


def status_row(
    frame: Frame, schemas: Schemas, status: str, responses: list[DocumentPart]
) -> list[Inline]:
    [(media_type, body)] = responses[0]["content"].items()
    value = schemas.value(body["schema"])
    meaning = phrases.document_text(frame, responses[0]["description"])
    return [
        Literal(f"{status} {HTTPStatus(int(status)).phrase}"),
        Literal(media_type),
        phrases.type_of_value(value) if value.shared else _("as the operation lists it"),
        meaning if len(responses) == 1 else _("what the operation is for"),
    ]


def header_table(
    frame: Frame,
    definitions: Mapping[str, DocumentPart],
    schemas: Schemas,
    operations: list[Operation],
) -> Table:
    headings = [_("Header"), _("Comes with"), _("Always"), _("Example"), _("Meaning")]
    rows: list[list[Inline]] = [
        [
            Literal(name),
            phrases.join_inline([Literal(status) for status in statuses]),
            phrases.yes_or_no(definitions[component]["required"]),
            Literal(str(definitions[component]["example"])),
            header_meaning(frame, definitions[component], schemas),
        ]
        for (name, component), statuses in statuses_by_header(operations).items()
    ]
    return Table(_("Headers at a glance"), headings, rows)


def header_meaning(frame: Frame, header: DocumentPart, schemas: Schemas) -> Inline:
    return phrases.describe_value(frame, header["description"], schemas.value(header["schema"]))
