"""What the answers of all operations have in common: statuses, and headers."""

from collections.abc import Mapping
from http import HTTPStatus

from django.utils.translation import gettext as _

from site_mirror.pages.blocks import Inline, Literal, Section, Table
from site_mirror.pages.docs import phrases
from site_mirror.pages.docs.operations import (
    Document,
    Operation,
    Part,
    answers_by_status,
    statuses_by_header,
)
from site_mirror.pages.docs.schemas import Schemas
from site_mirror.pages.frame import Frame

ANSWERS = "all-answers"
"""Id of the section that explains statuses and headers."""


def section(frame: Frame, document: Document, schemas: Schemas, found: list[Operation]) -> Section:
    described = document["components"]["headers"]
    tables = [statuses(frame, schemas, found), headers(frame, described, schemas, found)]
    return Section(ANSWERS, _("Answers"), tables, "answers")


def statuses(frame: Frame, schemas: Schemas, found: list[Operation]) -> Table:
    """What each status means, in general where operations differ."""
    headings = [_("Status"), _("Media type"), _("Body"), _("Meaning")]
    rows = [row(frame, schemas, *each) for each in answers_by_status(found).items()]
    return Table(_("Statuses at a glance"), headings, rows)


def row(frame: Frame, schemas: Schemas, status: str, answers: list[Part]) -> list[Inline]:
    [(media_type, body)] = answers[0]["content"].items()
    value = schemas.value(body["schema"])
    meaning = phrases.sentence(frame, answers[0]["description"])
    return [
        Literal(f"{status} {HTTPStatus(int(status)).phrase}"),
        Literal(media_type),
        phrases.kind(value) if value.shared else _("as the operation lists it"),
        meaning if len(answers) == 1 else _("what the operation is for"),
    ]


def headers(
    frame: Frame, described: Mapping[str, Part], schemas: Schemas, found: list[Operation]
) -> Table:
    headings = [_("Header"), _("Comes with"), _("Always"), _("Example"), _("Meaning")]
    rows: list[list[Inline]] = [
        [
            Literal(name),
            phrases.in_a_row([Literal(status) for status in statuses]),
            phrases.yes_or_no(described[component]["required"]),
            Literal(str(described[component]["example"])),
            about_header(frame, described[component], schemas),
        ]
        for (name, component), statuses in statuses_by_header(found).items()
    ]
    return Table(_("Headers at a glance"), headings, rows)


def about_header(frame: Frame, header: Part, schemas: Schemas) -> Inline:
    return phrases.about(frame, header["description"], schemas.value(header["schema"]))
