"""The pages of the API reference: an index, and one for each operation, object and topic."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from msgspec.structs import replace

from api.contract import BUDGET
from api.endpoints import ENDPOINTS
from api.problems import problem_body
from catalogue import addresses
from site_mirror.documents import assets
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import blocks
from site_mirror.pages.blocks import Block, Inline, Link, Literal, Member, Members, Section
from site_mirror.pages.docs import schemas
from site_mirror.pages.docs.changes import CHANGES
from site_mirror.pages.docs.outline import OBJECT, OPERATION, TOPIC, OutlineEntry, ReferencePage
from site_mirror.pages.docs.programs import EXAMPLES, programs, render_program
from site_mirror.pages.docs.schemas import Part, Schemas, description_of, translate
from site_mirror.pages.docs.swagger import SWAGGER_ADDRESS, SWAGGER_TITLE
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import PageOfRows, compose_standing

MAX_LINE_CHARACTERS = 56
"""The longest line of an example on which an object or a list stands whole."""
MAX_TEXT_CHARACTERS = 80
"""The longest text in an example."""
UNKNOWN_SLUG = "unknown"
"""The slug in the examples of problems."""


def summarize_page(frame: Frame, subject: ReferencePage) -> PageSummary:
    entry, title = subject.entry, translate(subject.entry.title)
    return frame.summarize(
        addresses.reference_page(subject.slug),
        _("The %(object)s object") % {"object": title} if entry.kind == OBJECT else title,
        translate(entry.text).replace("`", ""),
        has_twin=(frame.other_language, "docs-api") in frame.standing,
    )


def compose_index(frame: Frame, subject: PageOfRows) -> PageContent:
    outline: Sequence[OutlineEntry] = subject.rows
    api = frame.site.url(addresses.API)
    lists = {
        kind: [Members([each.member(frame) for each in outline if each.kind == kind])]
        for kind in (OPERATION, OBJECT, TOPIC)
    }
    content = [
        blocks.Facts({_("Base address"): [Literal(api)]}),
        blocks.Listing(_("First request"), "shell", f'curl "{api}/apps"'),
        Section("all-operations", _("Operations"), lists[OPERATION], "pages"),
        Section("shared-objects", _("Objects"), lists[OBJECT], "pages"),
        Section("topics_", _("Other pages"), lists[TOPIC], "pages"),
    ]
    page = compose_standing(frame, subject.page, content, style="reference", text_last=True)
    return complete(frame, page, outline)


def compose_page(frame: Frame, subject: ReferencePage) -> PageContent:
    entry, writer = subject.entry, Writer(frame, subject)
    write = getattr(writer, entry.name if entry.kind == TOPIC else entry.kind)
    page = PageContent(
        page_summary=summarize_page(frame, subject),
        style="reference",
        blocks=list(write()),
        trail=(frame.home, *frame.links({"docs-api": _("API")})),
        feed=frame.address_here(addresses.CHANGES_FEED) if entry.name == "changes" else "",
    )
    return complete(frame, page, subject.outline)


def complete(frame: Frame, page: PageContent, outline: Iterable[OutlineEntry]) -> PageContent:
    """Return a page with the script of the reference and the links to its other pages."""
    labels = {TOPIC: _("API reference"), OPERATION: _("Operations"), OBJECT: _("Objects")}
    links = {kind: [each.link(frame) for each in outline if each.kind == kind] for kind in labels}
    links[TOPIC] = [
        *frame.links({"docs-api": _("Overview")}),
        *links[TOPIC],
        frame.link(SWAGGER_TITLE, SWAGGER_ADDRESS, translated=True),
        Link(_("OpenAPI document"), addresses.OPENAPI),
    ]
    return replace(
        page,
        beside=[blocks.Links(label, links[kind]) for kind, label in labels.items()],
        script=assets.asset_address("reference.js"),
    )


class Writer:
    """The blocks of a page, by a method for each kind and each topic."""

    def __init__(self, frame: Frame, subject: ReferencePage) -> None:
        self.frame, self.subject = frame, subject
        self.schemas = Schemas(frame, subject.components["schemas"])

    def operation(self) -> Iterator[Block]:
        operation, site = self.subject.part, self.frame.site
        body, template = schemas.success_of(operation), operation["address"]
        example, parameters = body.get("example"), operation.get("parameters", ())
        address = template
        if parameters:  # The address of the example is that of a published row, if there is one.
            address = example["self"].removeprefix(site.root) if example else ""
        yield blocks.ApiRequest(operation["operationId"], template, address)
        if parameters:
            named = {
                part["name"]: part["schema"] | {"description": part["description"]}
                for part in parameters
            }
            members = list(self.schemas.members({"properties": named, "required": [*named]}))
            yield Section("parameters_", _("Path parameters"), [Members(members)])
        fields = list(self.schemas.members(body["schema"]))
        yield Section("response_", _("Response"), [Members(fields)])
        yield Section("statuses_", _("Statuses"), [self.statuses(operation["responses"])])
        request = programs("request", {"address": site.url(address or template)})
        listings = [listing(_("Response"), example)] if example else []
        listings.append(listing(_("Problem"), self.problem()))
        hint = blocks.Paragraph(_("Lists and long texts are shortened."))
        yield Section("example_", _("Example"), [request, hint, *listings], "example")

    def statuses(self, responses: Mapping[str, Part]) -> Members:
        """Return the statuses of an operation; in the topic about them, with their headers."""
        members = []
        for status, part in responses.items():
            response = self.subject.components["responses"].get(schemas.name_of(part), part)
            [(media_type, body)] = response["content"].items()
            name = Literal(f"{status} {HTTPStatus(int(status)).phrase}")
            notes = [Literal(media_type), self.schemas.type_of(body["schema"])]
            headers = response["headers"] if self.subject.entry.kind == TOPIC else {}
            values = [(Literal(name), self.header(part)) for name, part in headers.items()]
            members.append(Member(name, notes, description_of(response), values))
        return Members(members)

    def header(self, part: Part) -> Inline:
        header = self.subject.components["headers"][schemas.name_of(part)]
        example = Literal(str(header["example"]))
        return blocks.Phrase([description_of(header), " ", _("Example:"), " ", example])

    def problem(self) -> Any:
        """Return the problem of an unknown slug or, where there is none, of too many requests."""
        [endpoint] = [each for each in ENDPOINTS if each.operation == self.subject.entry.name]
        instance = self.frame.site.url(endpoint.address_of(UNKNOWN_SLUG))
        status, detail = HTTPStatus.TOO_MANY_REQUESTS, ""
        if endpoint.has_parameter:
            status, detail = HTTPStatus.NOT_FOUND, endpoint.unknown.format(slug=UNKNOWN_SLUG)
        body = problem_body(self.frame.site, status, detail=detail, instance=instance)
        return orjson.loads(body)

    def object(self) -> Iterator[Block]:
        name = self.subject.entry.name
        fields = list(self.schemas.members(self.subject.part))
        yield Section("fields_", _("Fields"), [Members(fields)])
        users = [each.member(self.frame) for each in self.subject.outline if each.returns == name]
        if users:
            yield Section("operations_", _("Returned by"), [Members(users)])
        if self.subject.example is not None:
            example = listing(name, self.subject.example)
            yield Section("example_", _("Example"), [example], "example")

    def responses(self) -> Iterator[Block]:
        yield self.statuses(self.subject.part)

    def examples(self) -> Iterator[Block]:
        page = self.frame.address_here(addresses.DOCUMENTATION)
        values = {
            **self.subject.part,
            "site": self.frame.site.root,
            "page": page,
            "mirror": addresses.mirror_of(page),
            "per_second": BUDGET.requests // BUDGET.window_seconds,
            "pause": BUDGET.window_seconds / BUDGET.requests,
        }
        for each in EXAMPLES:
            name, language = each["name"], self.frame.language
            text = blocks.Paragraph(schemas.mark_code(each["text"][language]))
            printed = render_program(f"{name}.txt", values)
            output = blocks.Listing(_("Each of them prints"), "text", printed)
            parts = [text, programs(name, values), output]
            yield Section(f"example-{name}", each["title"][language], parts)

    def changes(self) -> Iterator[Block]:
        language = self.frame.language
        feed = self.frame.address_here(addresses.CHANGES_FEED)
        yield blocks.Links("", [Link(_("Atom feed"), feed)])
        for each in CHANGES:
            about = blocks.Phrase([self.frame.day(each.date), " · ", each.version])
            text = schemas.mark_code(each.text[language])
            paragraphs = [blocks.Paragraph(about), blocks.Paragraph(text)]
            yield Section(each.slug, each.title[language], paragraphs)


def listing(label: str, value: Any) -> blocks.Listing:
    return blocks.Listing(label, "json", readable_json(value))


def readable_json(value: Any, depth: int = 0) -> str:
    """Return JSON with short texts, in which what fits into a line is written on one."""
    if isinstance(value, str) and " " in value:
        value = Truncator(value).chars(MAX_TEXT_CHARACTERS)
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
