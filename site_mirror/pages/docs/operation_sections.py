"""A section for each operation: its request, what it takes, and what it answers."""

from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from site_mirror.pages.blocks import (
    Block,
    Fact,
    Facts,
    Inline,
    Listing,
    Literal,
    Paragraph,
    Request,
    Section,
    Table,
)
from site_mirror.pages.docs import phrases
from site_mirror.pages.docs.operations import Operation, Part
from site_mirror.pages.docs.readable import readable_json
from site_mirror.pages.docs.schemas import Member, Schemas
from site_mirror.pages.frame import Frame


def section(
    frame: Frame, operation: Operation, schemas: Schemas, shortened: Collection[str]
) -> Section:
    blocks = list(parts(frame, operation, schemas, shortened))
    title = phrases.english(frame, operation.summary)
    return Section(operation.id, title, blocks, style="operation")


def parts(
    frame: Frame, operation: Operation, schemas: Schemas, shortened: Collection[str]
) -> Iterator[Block]:
    yield Paragraph(phrases.sentence(frame, operation.description))
    yield Request(
        operation=operation.id,
        method=operation.method,
        address=operation.address,
        example=operation.example_address(frame.site),
    )
    if operation.parameters:
        yield parameters(frame, operation, schemas)
    members = schemas.members(operation.body["schema"])
    yield member_table(frame, _("Members of the answer"), members)
    # Without links: in the mirror, whose links are absolute, they would be a tenth of the page.
    yield Facts([Fact(_("Answers"), [Literal(status) for status in operation.answers])])
    if operation.example:
        whole, one = _("Example"), _("Example, shortened to one item")
        body = readable_json(operation.example)
        yield Listing(one if operation.id in shortened else whole, "json", body)


def parameters(frame: Frame, operation: Operation, schemas: Schemas) -> Table:
    examples = operation.example_values(frame.site)
    rows = [parameter(frame, part, schemas, examples) for part in operation.parameters]
    headings = [_("Name"), _("In"), _("Type"), _("Required"), _("Example"), _("Meaning")]
    return Table(_("Parameters"), headings, rows)


def parameter(frame: Frame, part: Part, schemas: Schemas, examples: dict[str, str]) -> list[Inline]:
    value = schemas.value(part["schema"])
    example = examples.get(part["name"])
    return [
        Literal(part["name"]),
        Literal(part["in"]),
        phrases.kind(value),
        phrases.yes_or_no(part.get("required", False)),
        Literal(example) if example else phrases.NOTHING,
        phrases.about(frame, part.get("description", ""), value),
    ]


def member_table(frame: Frame, caption: str, members: Iterator[Member]) -> Table:
    headings = [_("Member"), _("Type"), _("Required"), _("May be null"), _("Meaning")]
    return Table(caption, headings, [member_row(frame, member) for member in members])


def member_row(frame: Frame, member: Member) -> list[Inline]:
    return [
        Literal(member.name),
        phrases.kind(member.value),
        phrases.yes_or_no(member.required),
        phrases.yes_or_no(member.value.null),
        phrases.about(frame, member.description, member.value),
    ]
