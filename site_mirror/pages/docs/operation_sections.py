"""The sections of the reference about operations: request, parameters, and the 200 response."""

from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from site_mirror.pages.blocks import (
    ApiRequest,
    Block,
    Fact,
    Facts,
    Inline,
    Listing,
    Literal,
    Paragraph,
    Section,
    Table,
)
from site_mirror.pages.docs import phrases
from site_mirror.pages.docs.operations import DocumentPart, Operation
from site_mirror.pages.docs.readable import readable_json
from site_mirror.pages.docs.schemas import SchemaMember, Schemas
from site_mirror.pages.frame import Frame


def operation_section(
    frame: Frame, operation: Operation, schemas: Schemas, shortened: Collection[str]
) -> Section:
    blocks = list(operation_blocks(frame, operation, schemas, shortened))
    title = phrases.mark_english(frame, operation.summary)
    return Section(operation.id, title, blocks, style="operation")


def operation_blocks(
    frame: Frame, operation: Operation, schemas: Schemas, shortened: Collection[str]
) -> Iterator[Block]:
    yield Paragraph(phrases.document_text(frame, operation.description))
    yield ApiRequest(
        operation=operation.id,
        method=operation.method,
        address=operation.address,
        example=operation.example_address(frame.site),
    )
    if operation.parameters:
        yield parameter_table(frame, operation, schemas)
    members = schemas.members(operation.body["schema"])
    yield member_table(frame, _("Members of the answer"), members)
    # Statuses are not links, because absolute links would be a tenth of the mirror's size.
    yield Facts([Fact(_("Answers"), [Literal(status) for status in operation.responses])])
    if operation.example:
        whole, one = _("Example"), _("Example, shortened to one item")
        body = readable_json(operation.example)
        yield Listing(one if operation.id in shortened else whole, "json", body)


def parameter_table(frame: Frame, operation: Operation, schemas: Schemas) -> Table:
    examples = operation.example_values(frame.site)
    rows = [parameter_row(frame, part, schemas, examples) for part in operation.parameters]
    headings = [_("Name"), _("In"), _("Type"), _("Required"), _("Example"), _("Meaning")]
    return Table(_("Parameters"), headings, rows)


def parameter_row(
    frame: Frame, part: DocumentPart, schemas: Schemas, examples: dict[str, str]
) -> list[Inline]:
    value = schemas.value(part["schema"])
    example = examples.get(part["name"])
    return [
        Literal(part["name"]),
        Literal(part["in"]),
        phrases.type_of_value(value),
        phrases.yes_or_no(part.get("required", False)),
        Literal(example) if example else phrases.NO_VALUE,
        phrases.describe_value(frame, part.get("description", ""), value),
    ]


def member_table(frame: Frame, caption: str, members: Iterator[SchemaMember]) -> Table:
    headings = [_("Member"), _("Type"), _("Required"), _("May be null"), _("Meaning")]
    return Table(caption, headings, [member_row(frame, member) for member in members])


def member_row(frame: Frame, member: SchemaMember) -> list[Inline]:
    return [
        Literal(member.name),
        phrases.type_of_value(member.value),
        phrases.yes_or_no(member.required),
        phrases.yes_or_no(member.value.null),
        phrases.describe_value(frame, member.description, member.value),
    ]
