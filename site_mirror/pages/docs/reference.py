"""The reference of the API: its index, and a page for each operation, each object and each topic.

It is made of the OpenAPI document, but for the texts of editors and of topics.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import orjson
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from api.contract import BUDGET, JSON, PROBLEM_JSON
from api.endpoints import ENDPOINTS
from api.problems import problem_body
from api.schema import openapi_description
from catalogue import addresses, questions
from catalogue.models import Page as Row
from site_mirror.documents import assets
from site_mirror.documents.context import Context
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import blocks
from site_mirror.pages.blocks import Block, Inline, Link, Literal, Member, Members, Section
from site_mirror.pages.docs import schemas
from site_mirror.pages.docs.changes import CHANGES
from site_mirror.pages.docs.programs import EXAMPLES, programs, render
from site_mirror.pages.docs.schemas import Part, Schemas, text_of, translate
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
SUCCESS = str(HTTPStatus.OK.value)
OPERATION, OBJECT, TOPIC = "operation", "object", "topic"


class Entry(Struct, frozen=True):
    """A page of the reference in a list. An operation `returns` an object; texts are English."""

    kind: str
    name: str
    title: str
    text: str
    address: str = ""
    returns: str = ""

    @property
    def slug(self) -> str:
        slug_of = schemas.slug_of_object if self.kind == OBJECT else schemas.slug_of_name
        return slug_of(self.name)

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
    Entry(TOPIC, *words)
    for words in (
        ("responses", "Statuses and headers", "What statuses and headers mean, with examples."),
        ("examples", "Examples to copy", "Programs that handle errors and keep the limits."),
        ("changes", "Changes of the API", "What has changed in the API, the newest first."),
    )
]


class ReferencePage(Struct, frozen=True):
    """The subject of a page; `part` is of the OpenAPI document, and `example` a value of it."""

    entry: Entry
    outline: Sequence[Entry]
    components: Part
    part: Part
    example: Any

    @property
    def slug(self) -> str:
        return self.entry.slug


class ReferenceSource(Struct, frozen=True):
    """The pages of the reference, which are published in the languages of its index."""

    language: str

    def all(self, context: Context) -> Sequence[ReferencePage]:
        is_published = context.frames[self.language].has_standing_page("docs-api")
        return read_reference(context) if is_published else ()

    def one(self, context: Context, slug: str) -> ReferencePage | None:
        return next((page for page in self.all(context) if page.slug == slug), None)


def gather(context: Context, text: Row, language: str) -> PageOfRows:
    return PageOfRows(text, read_reference(context)[0].outline)


@lru_cache(maxsize=1)
def read_reference(context: Context) -> Sequence[ReferencePage]:
    """Return the subjects of all pages, cached because lists of pages need them, too."""
    document = openapi_description(context.at)
    components, operations = document["components"], list_operations(document)
    named = components["schemas"]
    examples = {"Problem": components["responses"]["NotFound"]["content"][PROBLEM_JSON]["example"]}
    for body in map(success_of, operations):
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


def success_of(operation: Part) -> Part:
    """Return the body of a success: its schema and, if a row is published, its example."""
    body: Part = operation["responses"][SUCCESS]["content"][JSON]
    return body


def list_entries(operations: Iterable[Part], named: Mapping[str, Part]) -> Iterator[Entry]:
    for each in operations:
        body = schemas.name_of(success_of(each)["schema"])
        data = named[body]["properties"].get("data", {})
        yield Entry(
            OPERATION,
            each["operationId"],
            each["summary"],
            each["description"],
            address=each["address"],
            returns=schemas.name_of(data.get("items", data)) or body,
        )
    for name in schemas.names_of_objects(named):
        yield Entry(OBJECT, name, name, named[name]["description"])


def summarize(frame: Frame, subject: ReferencePage) -> PageSummary:
    entry, address = subject.entry, addresses.reference_page(subject.slug)
    title = translate(entry.title)
    return PageSummary(
        address=frame.address_here(address),
        language=frame.language,
        title=_("The %(object)s object") % {"object": title} if entry.kind == OBJECT else title,
        summary=translate(entry.text).replace("`", ""),
        twin=frame.address_of_twin(address)
        if (frame.other_language, "docs-api") in frame.standing
        else None,
    )


def compose_index(frame: Frame, subject: PageOfRows) -> PageContent:
    outline: Sequence[Entry] = subject.rows
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


def compose(frame: Frame, subject: ReferencePage) -> PageContent:
    entry, writer = subject.entry, Writer(frame, subject)
    write = getattr(writer, entry.name if entry.kind == TOPIC else entry.kind)
    page = PageContent(
        page_summary=summarize(frame, subject),
        style="reference",
        blocks=list(write()),
        trail=(frame.home, *frame.links({"docs-api": _("API")})),
        feed=frame.address_here(addresses.CHANGES_FEED) if entry.name == "changes" else "",
    )
    return complete(frame, page, subject.outline)


def complete(frame: Frame, page: PageContent, outline: Iterable[Entry]) -> PageContent:
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
        self.components = subject.components
        self.schemas = Schemas(frame, subject.components["schemas"])

    def operation(self) -> Iterator[Block]:
        operation, site = self.subject.part, self.frame.site
        body, template = success_of(operation), operation["address"]
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
        answers = {_("Response"): example} if example else {}
        answers[_("Problem")] = self.problem()
        listings = [listing(label, value) for label, value in answers.items()]
        hint = blocks.Paragraph(_("Lists and long texts are shortened."))
        yield Section("example_", _("Example"), [request, hint, *listings], "example")

    def statuses(self, responses: Mapping[str, Part]) -> Members:
        """Return the statuses of an operation; in the topic about them, with their headers."""
        members = []
        for status, part in responses.items():
            response = self.components["responses"].get(schemas.name_of(part), part)
            [(media_type, body)] = response["content"].items()
            name = Literal(f"{status} {HTTPStatus(int(status)).phrase}")
            notes = [Literal(media_type), self.schemas.type_of(body["schema"])]
            headers = response["headers"] if self.subject.entry.kind == TOPIC else {}
            values = [(Literal(name), self.header(part)) for name, part in headers.items()]
            members.append(Member(name, notes, text_of(response), values))
        return Members(members)

    def header(self, part: Part) -> Inline:
        header = self.components["headers"][schemas.name_of(part)]
        example = Literal(str(header["example"]))
        return blocks.Phrase([text_of(header), " ", _("Example:"), " ", example])

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
            output = blocks.Listing(_("Each of them prints"), "text", render(f"{name}.txt", values))
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
