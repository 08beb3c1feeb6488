"""Families of documents, and documents. No framework is imported here.

A family is a row of the registry: one address template, the rows it is asked for, how one of
them is rendered and which headers it is served with.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from api.envelope import Items, encode, encoded_item, envelope, parts
from site_mirror.context import Context
from site_mirror.listing import Group, Listed, Several
from site_mirror.sources import NOTHING, Question, Source

Content = bytes | dict[str, Any]
"""Bytes, or a body with a slot for the moment of the snapshot (`api.envelope`)."""


def itself(subject: Any) -> Any:
    """The part of a subject that a family is about, where that is all of it."""
    return subject


def nothing(parts: Iterable[Any]) -> None:
    """What a family prepares that renders each document by itself."""


NO_HEADERS: Mapping[str, str] = {}

Render = Callable[[str, Any], Content]
"""From an address and its row, or its rows, to what is published there."""


class Family(Struct, frozen=True):
    """A row of the registry.

    `source` has the subject of every document: its row, or its rows. Families that share a source
    are rendered from one reading of it, each from its `part` of a subject; where there is no such
    part, there is no document. Where the template has a parameter, the subject's slug fills it.
    One that `asks` is rendered from more than its subject. `former` are rows of former slugs,
    each with the slug of `today`. A family of pages or mirrors has a `language`, and lists say of
    its pages what `listing` tells; `mirror` is a page's Markdown. Documents that are an
    `item` stand in the list of the API that `lists` their family; pages `of_pages` are lists.
    What is made of other documents is made `last`. To `prepare` is to do for many parts at once
    what is done sooner that way; a part that cannot be prepared is left for its document to tell.
    """

    name: str
    template: str
    media_type: str
    renderer: Callable[[Context], Render]
    headers: Callable[[Context, str], dict[str, str]]
    source: Source = NOTHING
    part: Callable[[Any], Any] = itself
    asks: bool = False
    former: Question | None = None
    endpoint: str = ""
    item: bool = False
    lists: str = ""
    of_pages: bool = False
    last: bool = False
    mirror: "Family | None" = None
    language: str = ""
    prepare: Callable[[Iterable[Any]], None] = nothing
    listing: Callable[[Context], Several[Listed]] | None = None

    @property
    def parameter(self) -> str:
        """Name of the template's parameter, or nothing: `/api/v1/apps/{appId}` → `appId`."""
        return self.template.partition("{")[2].partition("}")[0]

    def address(self, slug: str) -> str:
        return self.template.replace(f"{{{self.parameter}}}", slug)

    def one(self, context: Context, slug: str) -> Any:
        """The subject at the address of a slug; `None` where nothing is published."""
        subject = self.source.one(context, slug)
        return None if subject is None else self.part(subject)

    def place(self, subject: Any) -> str:
        """The address of a subject."""
        return self.address(subject.slug) if self.parameter else self.template

    def document(
        self,
        context: Context,
        address: str,
        subject: Any,
        render: Render,
        more: Mapping[str, str] = NO_HEADERS,
    ) -> "Document":
        """`more` are headers beside the family's own."""
        return Document(
            family=self.name,
            address=address,
            media_type=self.media_type,
            headers={**self.headers(context, address), **more},
            content=render(address, subject),
            item=self.item,
        )

    def listing_document(
        self, context: Context, items: Items, more: Mapping[str, str]
    ) -> "Document":
        """The list of documents that are made already."""
        body = envelope(context.site, self.template, items)
        return self.document(context, self.template, items, lambda address, rows: body, more)

    def documents(self, context: Context) -> Iterator["Document"]:
        render = self.renderer(context)
        for subject in map(self.part, self.source.all(context)):
            if subject is not None:
                yield self.document(context, self.place(subject), subject, render)

    def listed(self, context: Context) -> Group:
        """The pages of this family in short; none if it has no pages."""
        pages = self.listing(context) if self.listing else ()
        return Group(self.language, self.of_pages, pages)

    def moves(self, slugs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Of former slugs and today's: former addresses, aliases included, and today's."""
        for former, today in slugs:
            old = self.address(former)
            for address in (old, *aliases_of(old, self.media_type)):
                yield address, self.address(today)

    def moved(self, context: Context, slug: str) -> str | None:
        """Where a former slug leads today."""
        former = self.former(context.at).filter(slug=slug).first() if self.former else None
        return self.address(former.today) if former else None


class Document(Struct, frozen=True):
    """What is published at one address; one that is an `item` stands in a list, too."""

    family: str
    address: str
    media_type: str
    headers: Mapping[str, str]
    content: Content
    item: bool = False

    @property
    def entry(self) -> bytes:
        """The document as an item of a list; nothing for one that no list is made of."""
        return (
            encoded_item(self.content) if self.item and not isinstance(self.content, bytes) else b""
        )

    def body(self, generated_at: str | None = None) -> bytes:
        """The bytes; only a body with a slot for it tells the moment of the snapshot."""
        if isinstance(self.content, bytes):
            return self.content
        return encode(self.content, generated_at)

    @property
    def items(self) -> Items | None:
        """The data of a list that is made of other documents."""
        data = self.content.get("data") if isinstance(self.content, dict) else None
        return data if isinstance(data, Items) else None

    def parts(self, generated_at: str | None = None) -> Iterator[bytes]:
        """The body or, of a list that may be long, one part of it after another."""
        if self.items and isinstance(self.content, dict):
            yield from parts(self.content, self.items, generated_at)
        else:
            yield self.body(generated_at)

    def slices(self, generated_at: str) -> Iterator[bytes]:
        """The body or, of a list that is long, the same list with some of its items at a time."""
        if self.items and isinstance(self.content, dict):
            for items in self.items.slices():
                yield encode({**self.content, "data": items}, generated_at)
        else:
            yield self.body(generated_at)

    @property
    def file(self) -> str:
        return file_of(self.address, self.media_type)

    @property
    def aliases(self) -> tuple[str, ...]:
        return aliases_of(self.address, self.media_type)


SUFFIXES = {"application/json": ".json", "text/html": ".html"}


def file_of(address: str, media_type: str) -> str:
    """Where a document lies below the public tree: `/blog/x` → `blog/x.html`."""
    suffix = SUFFIXES.get(media_type.partition(";")[0], "")
    name = address + "index" if address.endswith("/") else address
    return name[1:] if name.endswith(suffix) else name[1:] + suffix


def aliases_of(address: str, media_type: str) -> tuple[str, ...]:
    """Addresses with the same bytes: an API document's file, and the index without its slash."""
    if media_type != "application/json" or address.endswith(".json"):
        return ()
    own_file = f"/{file_of(address, media_type)}"
    return (address.rstrip("/"), own_file) if address.endswith("/") else (own_file,)
