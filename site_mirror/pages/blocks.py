"""The blocks of pages, each of which is written as HTML and as Markdown.

The template of a block is named like its class; `pages/markdown.py` has a writer for each.
Texts are plain unless their name says Markdown or LaTeX.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from catalogue.texts.shown_images import ShownImage


class Block(Struct, frozen=True):
    """A part of a page."""

    @property
    def template(self) -> str:
        return f"blocks/{type(self).__name__.lower()}.html"


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


class InlineFormula(Struct, frozen=True):
    latex: str


class Phrase(Struct, frozen=True):
    parts: Sequence["Inline"]


Inline = str | Link | Moment | Literal | InlineFormula | Phrase


class EditorText(Block, frozen=True):
    """Markdown that an editor wrote.

    `prefix` keeps the ids of its headings and footnotes apart from those of another block; `images`
    are those that it may show.
    """

    markdown: str
    prefix: str = ""
    images: Sequence[ShownImage] = ()


class Paragraphs(Block, frozen=True):
    """Plain text; an empty line separates paragraphs."""

    text: str


class Paragraph(Block, frozen=True):
    content: Inline


class Section(Block, frozen=True):
    """A heading and the blocks below it. `style` is a class of the style sheet.

    An `id` that is neither a row's slug nor a name of the contract ends in `_`, because no slug
    does, so that ids are unique on a page.
    """

    id: str
    title: str
    blocks: Sequence[Block]
    style: str = ""
    more: Link | None = None


class Archive(Block, frozen=True):
    """Dated links, one in a line, for a list that is too long for cards."""

    entries: Sequence[tuple[Moment, Link]]


class Facts(Block, frozen=True):
    """Short facts: values by label, as a description list."""

    facts: Mapping[str, Sequence[Inline]]


class Card(Struct, frozen=True):
    link: Link
    summary: str
    notes: Sequence[Inline]
    icon: str = ""


class Cards(Block, frozen=True):
    """A list of cards; `style` is `apps` or `articles`."""

    style: str
    cards: Sequence[Card]


class Statistics(Block, frozen=True):
    """Numbers as texts, each with the label of what is counted."""

    statistics: Sequence[tuple[str, str]]


class Formula(Block, frozen=True):
    """A formula on a line of its own."""

    latex: str


class Table(Block, frozen=True):
    """A table of inline parts; `caption` is its accessible name."""

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
    milestones: Sequence[Milestone]


class Links(Block, frozen=True):
    """A list of links under a label; `style` is a class of the style sheet, such as `stores`."""

    label: str
    links: Sequence[Link]
    style: str = ""


class ShortTexts(Block, frozen=True):
    """A list of short texts, such as the parts of a technical stack."""

    items: Sequence[str]


class Listing(Block, frozen=True):
    label: str
    language: str
    source: str


class Programs(Block, frozen=True):
    """The same program in several languages, of which a page shows one at a time.

    `name` is unique on a page.
    """

    name: str
    listings: Sequence[Listing]


class Member(Struct, frozen=True):
    """A name and what it means: notes about it, a text, and the meanings of its values."""

    name: Inline
    notes: Sequence[Inline]
    meaning: Inline
    values: Sequence[tuple[Inline, Inline]] = ()
    id: str = ""


class Members(Block, frozen=True):
    """A list of names with their meanings, such as the members of an object."""

    members: Sequence[Member]


class ApiRequest(Block, frozen=True):
    """An operation of the API and its request.

    `example` is a published address of the operation, which the page's script can request.
    """

    operation: str
    address: str
    example: str = ""


class Explorer(Block, frozen=True):
    """A program that shows the OpenAPI document at an address: its script and its style sheet."""

    name: str
    document: str
    script: str
    style: str


class Search(Block, frozen=True):
    """A field for words, and the passages that a library finds in an index at an address."""

    index: str
    library: str


class Neighbours(Facts, frozen=True, kw_only=True):
    """The articles before and after this one, by labels such as “Newer”."""

    label: str
