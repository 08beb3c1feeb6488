"""The vocabulary of pages. A page is made of these; each is written as HTML and as Markdown.

`kind` names the template of a block (`jinja2/blocks/KIND.html`); `pages/markdown.py` has a writer
for each. Texts are plain unless their name says Markdown or LaTeX.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Link:
    """A link; `language` is the target's where it is not the page's."""

    label: str
    address: str
    language: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date: `value` in ISO 8601, as precise as it is known, and `label` as people read it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A name or a value as programs write it."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Inline parts in a row."""

    parts: Sequence["Inline"]


Inline = str | Link | Moment | Literal | Phrase


@dataclass(frozen=True, slots=True)
class Prose(Block):
    """Markdown that an editor wrote, in the page's language or in `language`.

    `prefix` keeps the ids of its headings and footnotes apart from those of another text.
    """

    kind = "prose"
    markdown: str
    language: str = ""
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Paragraphs(Block):
    """Plain text; an empty line begins a paragraph."""

    kind = "paragraphs"
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph(Block):
    """One paragraph of inline parts."""

    kind = "paragraph"
    content: Inline


@dataclass(frozen=True, slots=True)
class Section(Block):
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


@dataclass(frozen=True, slots=True)
class Archive(Block):
    """Dated links, a line each: a list too long for cards."""

    kind = "archive"
    entries: Sequence[tuple[Moment, Link]]


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and what is said under it."""

    label: str
    values: Sequence[Inline]


@dataclass(frozen=True, slots=True)
class Facts(Block):
    """Short facts, as a list of terms."""

    kind = "facts"
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Card:
    """Something with a page of its own, in short."""

    title: str
    address: str
    summary: str = ""
    icon: str = ""
    notes: Sequence[Inline] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Cards(Block):
    """Several cards; `style` is `apps` or `articles`."""

    kind = "cards"
    style: str
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number as it is shown, and what it counts."""

    display: str
    label: str


@dataclass(frozen=True, slots=True)
class Statistics(Block):
    kind = "statistics"
    statistics: Sequence[Statistic]


@dataclass(frozen=True, slots=True)
class Formula(Block):
    """A formula on a line of its own."""

    kind = "formula"
    latex: str


@dataclass(frozen=True, slots=True)
class Table(Block):
    """A table of texts; `caption` is its accessible name."""

    kind = "table"
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Inline]]


@dataclass(frozen=True, slots=True)
class Milestone:
    """What happened at a date."""

    id: str
    date: Moment
    subject: str
    title: str
    description: str = ""
    links: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class Milestones(Block):
    kind = "milestones"
    milestones: Sequence[Milestone]


@dataclass(frozen=True, slots=True)
class Links(Block):
    """Links to choose from; `label` is what they have in common. `style`: `stores`, `tags` …"""

    kind = "links"
    label: str
    links: Sequence[Link]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Items(Block):
    """Short texts, such as the parts of a technical stack."""

    kind = "items"
    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Code(Block):
    """Source code in a language that `catalogue.markdown` knows, or in none."""

    kind = "code"
    language: str
    source: str


@dataclass(frozen=True, slots=True)
class Listing(Block):
    """Code to copy, under a label that says what it is."""

    kind = "listing"
    label: str
    language: str
    source: str


@dataclass(frozen=True, slots=True)
class Request(Block):
    """An operation of the API: its name, and the request that performs it.

    `example` is an address of this kind that is published; a script may ask it.
    """

    kind = "request"
    operation: str
    method: str
    address: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Explorer(Block):
    """A program, of a script and a style, that shows the OpenAPI document at an address."""

    kind = "explorer"
    name: str
    document: str
    script: str
    style: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A link to an article, and where that is from here."""

    label: str
    link: Link


@dataclass(frozen=True, slots=True)
class Neighbours(Block):
    """The articles before and after this one; `label` is what they have in common."""

    kind = "neighbours"
    label: str
    newer: Neighbour | None
    older: Neighbour | None
