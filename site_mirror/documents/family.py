"""Families of documents, and documents. No framework is imported here.

A family is a row of the registry: an address template, the source of its subjects, the renderer of
one of them, and the headers of its documents.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from api.envelope import encode_body, encode_item
from site_mirror.documents.built import Built
from site_mirror.documents.context import Context
from site_mirror.documents.sources import NO_ROWS, Question, Source
from site_mirror.documents.summaries import PageSummary

DocumentContent = bytes | dict[str, Any]
"""Bytes, or a JSON body that takes the moment of the snapshot (`api.envelope`)."""


def whole_subject(subject: Any) -> Any:
    """Return the whole subject; the default of `Family.part`."""
    return subject


def no_summaries(context: Context) -> Iterable[PageSummary]:
    """Return nothing; the default of `Family.summarize`."""
    return ()


Render = Callable[[Context, str, Any], DocumentContent]
"""Returns the content of an address, from the address and its subject."""


class Family(Struct, frozen=True):
    """A row of the registry.

    `source` has the subject of each document: its row, or its rows. Families that share a source
    are rendered after one reading of it, each from its `part` of a subject; without a part there is
    no document. If the template has a parameter, the subject's slug fills it. `rows` asks for the
    rows that have a document, and so for their former slugs. A family of pages or mirrors has a
    `language`; `summarize` returns the summaries of its pages for lists of pages; `mirror` is the
    family of a page's Markdown. Documents with `lists_pages` are lists themselves.

    A freeze reuses documents while their subjects are equal, but renders `derived` ones, which are
    made of more than that, each time. Documents that are `items` become items of a list, too, and
    `render_built` makes a list from the documents that were built before.
    """

    name: str
    template: str
    media_type: str
    render: Render
    headers: Callable[[Context, str], dict[str, str]]
    source: Source = NO_ROWS
    part: Callable[[Any], Any] = whole_subject
    derived: bool = False
    items: bool = False
    rows: Question | None = None
    lists_pages: bool = False
    mirror: "Family | None" = None
    language: str = ""
    summarize: Callable[[Context], Iterable[PageSummary]] = no_summaries
    render_built: Callable[[Context, Built], DocumentContent] | None = None

    @property
    def parameter(self) -> str:
        """The name of the template's parameter, or nothing: `/api/v1/apps/{appId}` → `appId`."""
        return self.template.partition("{")[2].partition("}")[0]

    def address(self, slug: str) -> str:
        return self.template.replace(f"{{{self.parameter}}}", slug)

    def slug_of(self, address: str) -> str | None:
        """Return the slug in an address of the family; `None` for an address of another one."""
        if not self.parameter:
            return "" if address == self.template else None
        before, _, after = self.template.partition(f"{{{self.parameter}}}")
        if address.startswith(before) and address.endswith(after):
            return address[len(before) : len(address) - len(after)]
        return None

    def one(self, context: Context, slug: str) -> Any:
        """Return the subject at the address of a slug; `None` if there is no document."""
        subject = self.source.one(context, slug)
        return None if subject is None else self.part(subject)

    def address_of(self, subject: Any) -> str:
        return self.address(subject.slug) if self.parameter else self.template

    def document(self, context: Context, subject: Any, built: Built | None = None) -> "Document":
        """Render the document of a subject, or in a freeze that of the documents built before."""
        address = self.address_of(subject)
        content = (
            self.render_built(context, built)
            if self.render_built and built
            else self.render(context, address, subject)
        )
        return Document(
            family=self.name,
            address=address,
            media_type=self.media_type,
            headers={**self.headers(context, address), **context.transport},
            content=content,
            is_item=self.items,
        )

    def documents(self, context: Context) -> Iterator["Document"]:
        for subject in map(self.part, self.source.all(context)):
            if subject is not None:
                yield self.document(context, subject)

    def moves(self, slugs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield pairs of a former address, or an alias of one, and today's address."""
        for former, today in slugs:
            old = self.address(former)
            for address in (old, *aliases_of(old, self.media_type)):
                yield address, self.address(today)

    def current_address(self, context: Context, slug: str) -> str | None:
        """Return today's address of a former slug; `None` if there is no row for it."""
        from catalogue import questions  # noqa: PLC0415  (the engine imports no framework)

        if self.rows is None:
            return None
        at = context.at
        former = questions.former_slugs(at, of=self.rows(at)).filter(slug=slug).first()
        return self.address(former.today) if former else None


class Document(Struct, frozen=True):
    """A document of one address; an `is_item` document is also an item of a list."""

    family: str
    address: str
    media_type: str
    headers: Mapping[str, str]
    content: DocumentContent
    is_item: bool = False

    @property
    def list_item(self) -> bytes:
        """The document as an item of a list; empty if it is not one."""
        if self.is_item and not isinstance(self.content, bytes):
            return encode_item(self.content)
        return b""

    def body(self, generated_at: str | None = None) -> bytes:
        """Return the bytes; only a JSON body can include the moment of the snapshot."""
        if isinstance(self.content, bytes):
            return self.content
        return encode_body(self.content, generated_at)

    @property
    def file(self) -> str:
        return file_of(self.address, self.media_type)

    @property
    def aliases(self) -> tuple[str, ...]:
        return aliases_of(self.address, self.media_type)


FILE_SUFFIXES = {"application/json": ".json", "text/html": ".html"}


def file_of(address: str, media_type: str) -> str:
    """Return the file of a document, relative to the public tree: `/blog/x` → `blog/x.html`."""
    suffix = FILE_SUFFIXES.get(media_type.partition(";")[0], "")
    name = address + "index" if address.endswith("/") else address
    return name[1:] if name.endswith(suffix) else name[1:] + suffix


def aliases_of(address: str, media_type: str) -> tuple[str, ...]:
    """Return the aliases of an API document: its file, and the index without its slash."""
    if media_type != "application/json" or address.endswith(".json"):
        return ()
    own_file = f"/{file_of(address, media_type)}"
    return (address.rstrip("/"), own_file) if address.endswith("/") else (own_file,)
