"""Links that editors type, and a checker that finds the dead ones.

The layer above knows what is published at an address: the setting `PUBLISHED_ADDRESSES` names its
class.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from django.db.models import Field, Model
from django.utils import timezone
from django.utils.module_loading import import_string
from msgspec import Struct

from catalogue import addresses, markdown
from catalogue.fields import Line, Lines, Prose
from catalogue.localized import VIETNAMESE
from catalogue.markdown_rules import safe_markdown
from catalogue.models import (
    Page,
    Post,
    Publishable,
    State,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TeamMember,
    TimelineLink,
)
from catalogue.plain_links import addresses_in, is_address
from catalogue.revision import PUBLISHABLE

ADDRESSES = frozenset(
    {
        "app_store",
        "chrome_web_store",
        "github",
        "google_play",
        "href",
        "security_contact",
        "security_policy",
    }
)
"""Columns whose whole value is an address."""

ALWAYS_PUBLIC: tuple[type[Model], ...] = (Page, Studio, TeamMember, Statistic, Tag)
PARTS: tuple[tuple[type[Model], str], ...] = ((TimelineLink, "entry"), (Symbol, "topic"))
"""Tables of inlines, each with the relation to the row that is published."""

LONGEST_QUOTATION = 100


class PublishedAddresses(Protocol):
    """The addresses that answer at a moment (`site_mirror.reachable`)."""

    needed: tuple[str, ...]
    """Addresses that the program's own responses link to."""

    def __init__(self, at: datetime) -> None: ...

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Why a link or an image on a page must not be published, as the end of a sentence.

        Empty where it may be published.
        """


class Link(Struct, frozen=True):
    """A link in a column of a row; `line` is 0 where the column has one line only.

    `page` is the address at which a relative link and a `#place` are read. The target of an
    `image` is loaded by the page.
    """

    row: Any
    column: str
    line: int
    source: str
    target: str
    page: str
    image: bool = False

    @property
    def key(self) -> tuple[str, int, str, str]:
        """The identity of the link, which does not change when its line moves."""
        return self.row._meta.label_lower, self.row.pk, self.column, self.target

    @property
    def quoted(self) -> str:
        cut = len(self.source) > LONGEST_QUOTATION
        return f"{self.source[:LONGEST_QUOTATION]}…" if cut else self.source

    @property
    def owner(self) -> Any:
        """The row whose form has the link."""
        relation = dict(PARTS).get(type(self.row))
        return getattr(self.row, relation) if relation else self.row


class DeadLink(Struct, frozen=True):
    """A link, and why it must not be published."""

    link: Link
    reason: str

    def __str__(self) -> str:
        where = f"Line {self.link.line}: " if self.link.line else ""
        return f"{where}{self.link.quoted} {self.reason}."


class Checker:
    """Checks each link at the moment when readers see its row, which is `now` at the earliest."""

    def __init__(self, now: datetime | None = None) -> None:
        self.now = now or timezone.now()
        self.moments: dict[datetime, PublishedAddresses] = {}

    def at(self, moment: datetime) -> PublishedAddresses:
        if moment not in self.moments:
            self.moments[moment] = import_string(settings.PUBLISHED_ADDRESSES)(moment)
        return self.moments[moment]

    def dead(self, links: Iterable[Link]) -> Iterator[DeadLink]:
        """The dead ones among some links; links of rows that stay hidden are not checked."""
        for link in links:
            moment = self.seen_at(link.owner)
            reason = moment and self.at(moment).fault(link.target, link.page, image=link.image)
            if reason:
                yield DeadLink(link, reason)

    def seen_at(self, row: Model) -> datetime | None:
        """When readers see a row as it is; `None` for one that is not published."""
        if not isinstance(row, Publishable):
            return self.now
        if row.state != State.PUBLISHED or row.publish_at is None:
            return None
        return max(row.publish_at, self.now)

    def dead_of(self, row: Model) -> list[DeadLink]:
        """Dead links of a saved row and of its inlines."""
        parts = [
            part
            for model, relation in PARTS
            if isinstance(row, model._meta.get_field(relation).related_model)  # type: ignore[arg-type]
            for part in model._default_manager.filter(**{relation: row}).select_related(relation)
        ]
        return [*self.dead(link for each in (row, *parts) for link in links_of(each))]

    def dead_everywhere(self) -> list[DeadLink]:
        """Every dead link of every row that readers see, or will see."""
        return [*self.dead(link for row in public_rows() for link in links_of(row))]

    def missing(self) -> list[str]:
        """Addresses that the program's own responses link to and where nothing is published."""
        published = self.at(self.now)
        return [target for target in published.needed if published.fault(target, "/")]


def public_rows() -> Iterator[Model]:
    for publishable in PUBLISHABLE:
        yield from publishable.objects.filter(state=State.PUBLISHED)
    for model in ALWAYS_PUBLIC:
        yield from model._default_manager.all()
    for part, relation in PARTS:
        shown = {f"{relation}__state": State.PUBLISHED}
        yield from part._default_manager.filter(**shown).select_related(relation)


def links_of(row: Model) -> Iterator[Link]:
    """Every link that is typed into a column of a row."""
    for field in row._meta.concrete_fields:
        if isinstance(field, Line | Prose | Lines):
            yield from links_in(row, field)


def links_in(row: Model, field: "Field[Any, Any]") -> Iterator[Link]:
    text = field.value_to_string(row)
    if isinstance(row, Page):
        text = text.replace(addresses.SITE_MARK, settings.SITE_ROOT)
    page = page_of(row, field.name)
    if field.name in ADDRESSES:
        if text:
            yield Link(row, field.name, 0, f"“{text}”", text, page)
    elif safe_markdown in field.validators:
        for each in markdown.written_links(text):
            yield Link(row, field.name, each.line, each.source, each.target, page, each.image)
    elif "://" in text:
        yield from links_in_plain_text(row, field, text, page)


def links_in_plain_text(
    row: Model, field: "Field[Any, Any]", text: str, page: str
) -> Iterator[Link]:
    """Yield a text or an item that is an address, or else the addresses among its words."""
    for number, line in enumerate(text.split("\n"), 0 if isinstance(field, Line) else 1):
        stands_alone = line == text or isinstance(field, Lines)
        for found in [line] if stands_alone and is_address(line) else addresses_in(line):
            yield Link(row, field.name, number, f"“{found}”", found, page)


def page_of(row: Model, column: str) -> str:
    """The page on which readers find a text; the home page where links cannot be relative."""
    english = addresses.HOME
    if isinstance(row, Post):
        english = addresses.post_page(row.slug)
    elif isinstance(row, Page):
        english = addresses.STANDING_PAGES[row.slug]
    return addresses.vietnamese(english) if column.endswith(f"_{VIETNAMESE}") else english
