"""The blocks of pages, each of which is written as HTML and as Markdown.

`kind` names the template of a block (`jinja2/blocks/KIND.html`); `pages/markdown.py` has a writer
for each. Texts are plain unless their name says Markdown or LaTeX.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct


class Block(Struct, frozen=True):
    """A part of a page."""

    kind: ClassVar[str]


class Link(Struct, frozen=True):
    """A link; `language` is that of the target if it differs from the page's."""

    label: str
    address: str
    language: str = ""
    note: str = ""


class Moment(Struct, frozen=True):
    """A date: `value` in ISO 8601, as precise as it is known, `label` in the page's language."""

    value: str
    label: str


class Literal(Struct, frozen=True):
    """A name or a value of a program, shown as code."""

    text: str


class Phrase(Struct, frozen=True):
    parts: Sequence["Inline"]


Inline = str | Link | Moment | Literal | Phrase


class EditorText(Block, frozen=True):
    """Markdown that an editor wrote.

    `prefix` keeps the ids of its headings and footnotes apart from those of another block.
    """

    kind = "prose"
    markdown: str
    prefix: str = ""


class Paragraphs(Block, frozen=True):
    """Plain text; an empty line separates paragraphs."""

    kind = "paragraphs"
    text: str


class Paragraph(Block, frozen=True):
    kind = "paragraph"
    content: Inline


class Section(Block, frozen=True):
    """A heading and the blocks below it. `style` is a class of the style sheet.

    An `id` that is neither a row's slug nor a name of the contract ends in `_`, because no slug
    does, so that ids are unique on a page.
    """

    kind = "section"
    id: str
    title: str
    blocks: Sequence[Block]
    style: str = ""
    more: Link | None = None


class Archive(Block, frozen=True):
    """Dated links, one in a line, for a list that is too long for cards."""

    kind = "archive"
    entries: Sequence[tuple[Moment, Link]]


class Facts(Block, frozen=True):
    """Short facts: values by label, as a description list."""

    kind = "facts"
    facts: Mapping[str, Sequence[Inline]]


class Card(Struct, frozen=True):
    link: Link
    summary: str
    notes: Sequence[Inline]
    icon: str = ""


class Cards(Block, frozen=True):
    """A list of cards; `style` is `apps` or `articles`."""

    kind = "cards"
    style: str
    cards: Sequence[Card]


class Statistics(Block, frozen=True):
    """Numbers as texts, each with the label of what is counted."""

    kind = "statistics"
    statistics: Sequence[tuple[str, str]]


class Formula(Block, frozen=True):
    """A formula on a line of its own."""

    kind = "formula"
    latex: str


class Table(Block, frozen=True):
    """A table of inline parts; `caption` is its accessible name."""

    kind = "table"
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Inline]]


class Milestone(Struct, frozen=True):
    id: str
    date: Moment
    subject: str
    title: str
    description: str = ""
    links: Sequence[Link] = ()


class Milestones(Block, frozen=True):
    kind = "milestones"
    milestones: Sequence[Milestone]


class Links(Block, frozen=True):
    """A list of links under a label; `style` is a class of the style sheet, such as `stores`."""

    kind = "links"
    label: str
    links: Sequence[Link]
    style: str = ""


class ShortTexts(Block, frozen=True):
    """A list of short texts, such as the parts of a technical stack."""

    kind = "items"
    items: Sequence[str]


class Listing(Block, frozen=True):
    kind = "listing"
    label: str
    language: str
    source: str


class ApiRequest(Block, frozen=True):
    """An operation of the API and its request.

    `example` is a published address of the operation, which the page's script can request.
    """

    kind = "request"
    operation: str
    method: str
    address: str
    example: str = ""


class Explorer(Block, frozen=True):
    """A program that shows the OpenAPI document at an address: its script and its style sheet."""

    kind = "explorer"
    name: str
    document: str
    script: str
    style: str


class Neighbour(Struct, frozen=True):
    """A link to an article, under a label such as “Newer”."""

    label: str
    link: Link


class Neighbours(Block, frozen=True):
    """The articles before and after this one, under a common label."""

    kind = "neighbours"
    label: str
    newer: Neighbour | None
    older: Neighbour | None
