"""The reference of the API: an editor's concepts, programs to try, and the OpenAPI document."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue import addresses
from site_mirror import assets
from site_mirror.pages.blocks import Inline, Link, Links, Literal, Paragraph, Section, Table
from site_mirror.pages.docs import answers, examples, operation_sections, phrases
from site_mirror.pages.docs.operation_sections import member_table
from site_mirror.pages.docs.operations import Operation, operations
from site_mirror.pages.docs.schemas import Schemas
from site_mirror.pages.docs.sources import Described
from site_mirror.pages.docs.swagger import link_to_swagger
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing

EXAMPLES = "examples-to-copy"
OPERATIONS = "all-operations"
OBJECTS = "shared-objects"


def compose(frame: Frame, subject: Described) -> Page:
    parts = list(sections(frame, subject))
    page = standing(frame, subject.page, parts, style="reference")
    blocks = [contents(frame, parts), *page.blocks]
    return replace(page, blocks=blocks, script=assets.address("reference.js"))


def contents(frame: Frame, parts: list[Section]) -> Links:
    within = [Link(part.title, f"#{part.id}") for part in parts]
    beside = [link_to_swagger(frame), Link(_("OpenAPI document"), addresses.OPENAPI)]
    return Links("", [*within, *beside], "contents")


def sections(frame: Frame, subject: Described) -> Iterator[Section]:
    found, schemas = operations(subject.document), Schemas(subject.document)
    programs = list(examples.sections(frame, subject))
    each = [
        operation_sections.section(frame, operation, schemas, subject.shortened)
        for operation in found
    ]
    yield Section(EXAMPLES, _("Examples to copy"), programs, "examples")
    yield Section(OPERATIONS, _("All operations"), [overview(frame, found), *each], "operations")
    yield Section(OBJECTS, _("Shared objects"), list(objects(frame, schemas)), "objects")
    yield answers.section(frame, subject.document, schemas, found)


def overview(frame: Frame, found: list[Operation]) -> Table:
    headings = [_("Operation"), _("Request"), _("Answer"), _("Group")]
    rows: list[list[Inline]] = [
        [
            Link(operation.id, f"#{operation.id}"),
            Literal(f"{operation.method} {operation.address}"),
            phrases.english(frame, operation.summary),
            phrases.english(frame, operation.group),
        ]
        for operation in found
    ]
    return Table(_("Operations at a glance"), headings, rows)


def objects(frame: Frame, schemas: Schemas) -> Iterator[Section]:
    """A section for each object that stands in several places."""
    for name in schemas.shared:
        schema = schemas.named[name]
        about = Paragraph(phrases.sentence(frame, schema["description"]))
        caption = _("Members of %(object)s") % {"object": name}
        table = member_table(frame, caption, schemas.members(schema))
        title = phrases.english(frame, name)
        yield Section(phrases.anchor(name), title, [about, table], "object", more(frame, name))


def more(frame: Frame, name: str) -> Link | None:
    """Where problems are explained one by one."""
    return frame.standing_link(_("Problem types"), "docs-problems") if name == "Problem" else None
