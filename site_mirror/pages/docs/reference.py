"""The reference of the API: the editors' text, examples, and the OpenAPI document."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue import addresses
from site_mirror.documents import assets
from site_mirror.pages.blocks import Inline, Link, Links, Literal, Paragraph, Section, Table
from site_mirror.pages.docs import answers, examples, operation_sections, phrases
from site_mirror.pages.docs.operation_sections import member_table
from site_mirror.pages.docs.operations import Operation, sorted_operations
from site_mirror.pages.docs.schemas import Schemas
from site_mirror.pages.docs.sources import ApiReference
from site_mirror.pages.docs.swagger import link_to_swagger
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing

EXAMPLES_ID = "examples-to-copy"
OPERATIONS_ID = "all-operations"
OBJECTS_ID = "shared-objects"


def compose(frame: Frame, subject: ApiReference) -> PageContent:
    parts = list(reference_sections(frame, subject))
    page = compose_standing(frame, subject.page, parts, style="reference")
    blocks = [contents_links(frame, parts), *page.blocks]
    return replace(page, blocks=blocks, script=assets.asset_address("reference.js"))


def contents_links(frame: Frame, parts: list[Section]) -> Links:
    within = [Link(part.title, f"#{part.id}") for part in parts]
    beside = [link_to_swagger(frame), Link(_("OpenAPI document"), addresses.OPENAPI)]
    return Links("", [*within, *beside], "contents")


def reference_sections(frame: Frame, subject: ApiReference) -> Iterator[Section]:
    in_order, schemas = sorted_operations(subject.document), Schemas(subject.document)
    programs = list(examples.example_sections(frame, subject))
    each = [
        operation_sections.operation_section(frame, operation, schemas, subject.shortened)
        for operation in in_order
    ]
    yield Section(EXAMPLES_ID, _("Examples to copy"), programs, "examples")
    yield Section(
        OPERATIONS_ID,
        _("All operations"),
        [operation_overview(frame, in_order), *each],
        "operations",
    )
    yield Section(OBJECTS_ID, _("Shared objects"), list(object_sections(frame, schemas)), "objects")
    yield answers.responses_section(frame, subject.document, schemas, in_order)


def operation_overview(frame: Frame, in_order: list[Operation]) -> Table:
    headings = [_("Operation"), _("Request"), _("Answer"), _("Group")]
    rows: list[list[Inline]] = [
        [
            Link(operation.id, f"#{operation.id}"),
            Literal(f"{operation.method} {operation.address}"),
            phrases.mark_english(frame, operation.summary),
            phrases.mark_english(frame, operation.group),
        ]
        for operation in in_order
    ]
    return Table(_("Operations at a glance"), headings, rows)


def object_sections(frame: Frame, schemas: Schemas) -> Iterator[Section]:
    """Yield a section for each shared object."""
    for name in schemas.shared:
        schema = schemas.named[name]
        about = Paragraph(phrases.document_text(frame, schema["description"]))
        caption = _("Members of %(object)s") % {"object": name}
        table = member_table(frame, caption, schemas.members(schema))
        title = phrases.mark_english(frame, name)
        yield Section(
            phrases.object_id(name),
            title,
            [about, table],
            "object",
            problem_types_link(frame, name),
        )


def problem_types_link(frame: Frame, name: str) -> Link | None:
    """Return a link to the page about problem types, for the object `Problem` only."""
    return frame.standing_link(_("Problem types"), "docs-problems") if name == "Problem" else None
