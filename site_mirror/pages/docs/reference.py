"""The reference of the API: an editor's concepts, programs to try, and the OpenAPI document."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from catalogue import addresses
from site_mirror import assets
from site_mirror.pages.blocks import Inline, Link, Links, Literal, Paragraph, Section, Table
from site_mirror.pages.docs import examples, operation_sections, phrases
from site_mirror.pages.docs.operation_sections import HEADERS, member_table
from site_mirror.pages.docs.operations import Operation, Part, operations, statuses_by_header
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
    described = subject.document["components"]["headers"]
    programs = list(examples.sections(frame, subject))
    each = [
        operation_sections.section(frame, operation, schemas, subject.shortened)
        for operation in found
    ]
    yield Section(EXAMPLES, _("Examples to copy"), programs, "examples")
    yield Section(OPERATIONS, _("All operations"), [overview(frame, found), *each], "operations")
    yield Section(OBJECTS, _("Shared objects"), list(objects(frame, schemas)), "objects")
    table = headers(frame, described, schemas, found)
    yield Section(HEADERS, _("Response headers"), [table], "headers")


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


def headers(
    frame: Frame, described: Mapping[str, Part], schemas: Schemas, found: list[Operation]
) -> Table:
    headings = [_("Header"), _("Comes with"), _("Always"), _("Example"), _("Meaning")]
    rows: list[list[Inline]] = [
        [
            Literal(name),
            phrases.in_a_row([Literal(status) for status in statuses]),
            phrases.yes_or_no(described[name]["required"]),
            Literal(str(described[name]["example"])),
            about_header(frame, described[name], schemas),
        ]
        for name, statuses in statuses_by_header(found).items()
    ]
    return Table(_("Headers at a glance"), headings, rows)


def about_header(frame: Frame, header: Part, schemas: Schemas) -> Inline:
    return phrases.about(frame, header["description"], schemas.value(header["schema"]))
