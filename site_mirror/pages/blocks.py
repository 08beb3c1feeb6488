"""The vocabulary of pages. A page is made of these; each is written as HTML and as Markdown.

`kind` names the template of a block (`jinja2/blocks/KIND.html`); `pages/markdown.py` has a writer
for each. Texts are plain unless their name says Markdown or LaTeX.
"""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct


class Block(Struct, frozen=True):
    """A part of a page."""

    kind: ClassVar[str]


class Link(Struct, frozen=True):
    """A link; `language` is the target's where it is not the page's."""

    label: str
    address: str
    language: str = ""
    note: str = ""


class Moment(Struct, frozen=True):
    """A date: `value` in ISO 8601, as precise as it is known, and `label` as people read it."""

    value: str
    label: str


class Literal(Struct, frozen=True):
    """A name or a value as programs write it."""

    text: str


class Phrase(Struct, frozen=True):
    """Inline parts in a row."""

    parts: Sequence["Inline"]


Inline = str | Link | Moment | Literal | Phrase


class Prose(Block, frozen=True):
    """Markdown that an editor wrote, in the page's language or in `language`.

    `prefix` keeps the ids of its headings and footnotes apart from those of another text.
    """

    kind = "prose"
    markdown: str
    language: str = ""
    prefix: str = ""


class Paragraphs(Block, frozen=True):
    """Plain text; an empty line begins a paragraph."""

    kind = "paragraphs"
    text: str


class Paragraph(Block, frozen=True):
    """One paragraph of inline parts."""

    kind = "paragraph"
    content: Inline


class Section(Block, frozen=True):
    """A heading with what belongs below it. `style` is what its look hangs on.

    An `id` that is neither a row's slug nor of the contract ends in `_`, as no slug does, so that
    it is nobody else's.
    """

    kind = "section"
    id: str
    title: str
    blocks: Sequence[Block]
    style: str = ""
    more: Link | None = None


class Archive(Block, frozen=True):
    """Dated links, a line each: a list too long for cards."""

    kind = "archive"
    entries: Sequence[tuple[Moment, Link]]


class Fact(Struct, frozen=True):
    """A label and what is said under it."""

    label: str
    values: Sequence[Inline]


class Facts(Block, frozen=True):
    """Short facts, as a list of terms."""

    kind = "facts"
    facts: Sequence[Fact]


class Card(Struct, frozen=True):
    """Something with a page of its own, in short."""

    title: str
    address: str
    summary: str = ""
    icon: str = ""
    notes: Sequence[Inline] = ()
    language: str = ""


class Cards(Block, frozen=True):
    """Several cards; `style` is `apps` or `articles`."""

    kind = "cards"
    style: str
    cards: Sequence[Card]


class Statistic(Struct, frozen=True):
    """A number as it is shown, and what it counts."""

    display: str
    label: str


class Statistics(Block, frozen=True):
    kind = "statistics"
    statistics: Sequence[Statistic]


class Formula(Block, frozen=True):
    """A formula on a line of its own."""

    kind = "formula"
    latex: str


class Table(Block, frozen=True):
    """A table of texts; `caption` is its accessible name."""

    kind = "table"
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Inline]]


class Milestone(Struct, frozen=True):
    """What happened at a date."""

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
    """Links to choose from; `label` is what they have in common. `style`: `stores`, `tags` …"""

    kind = "links"
    label: str
    links: Sequence[Link]
    style: str = ""


class Items(Block, frozen=True):
    """Short texts, such as the parts of a technical stack."""

    kind = "items"
    items: Sequence[str]


class Code(Block, frozen=True):
    """Source code in a language that `catalogue.markdown` knows, or in none."""

    kind = "code"
    language: str
    source: str


class Listing(Block, frozen=True):
    """Code to copy, under a label that says what it is."""

    kind = "listing"
    label: str
    language: str
    source: str


class Request(Block, frozen=True):
    """An operation of the API: its name, and the request that performs it.

    `example` is an address of this kind that is published; a script may ask it.
    """

    kind = "request"
    operation: str
    method: str
    address: str
    example: str = ""


class Explorer(Block, frozen=True):
    """A program, of a script and a style, that shows the OpenAPI document at an address."""

    kind = "explorer"
    name: str
    document: str
    script: str
    style: str


class Neighbour(Struct, frozen=True):
    """A link to an article, and where that is from here."""

    label: str
    link: Link


class Neighbours(Block, frozen=True):
    """The articles before and after this one; `label` is what they have in common."""

    kind = "neighbours"
    label: str
    newer: Neighbour | None
    older: Neighbour | None
