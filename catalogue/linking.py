"""Links in columns, and a checker that finds the dead ones.

The layer above knows the published addresses: the setting `PUBLISHED_ADDRESSES` names its class.
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
from catalogue.markdown_rules import validate_markdown
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
from catalogue.plain_links import addresses_in, is_uri
from catalogue.revision import PUBLISHABLE

ADDRESS_COLUMNS = frozenset(
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
INLINE_MODELS: tuple[tuple[type[Model], str], ...] = ((TimelineLink, "entry"), (Symbol, "topic"))
"""Tables of inlines, each with the relation to the row that is published."""

MAX_QUOTED_CHARACTERS = 100


class PublishedAddresses(Protocol):
    """The addresses that answer at a moment (`site_mirror.desk.reachable`)."""

    needed: tuple[str, ...]
    """Addresses that the program's own responses link to."""

    def __init__(self, at: datetime) -> None: ...

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Return the reason why a link or an image on a page must not be published.

        The reason is the end of a sentence. It is empty if the link may be published.
        """


class TypedLink(Struct, frozen=True):
    """A link in a column of a row; `line` is 0 if the column has one line only.

    `page` is the address against which a relative link and a `#fragment` are resolved. The target
    of an `image` is loaded by the page.
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
        cut = len(self.source) > MAX_QUOTED_CHARACTERS
        return f"{self.source[:MAX_QUOTED_CHARACTERS]}…" if cut else self.source

    @property
    def owner(self) -> Any:
        """The row whose form has the link."""
        relation = dict(INLINE_MODELS).get(type(self.row))
        return getattr(self.row, relation) if relation else self.row


class DeadLink(Struct, frozen=True):
    """A link that must not be published, with the reason."""

    link: TypedLink
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

    def dead(self, links: Iterable[TypedLink]) -> Iterator[DeadLink]:
        """Yield the dead ones of some links; links of unpublished rows are not checked."""
        for link in links:
            moment = self.seen_at(link.owner)
            reason = moment and self.at(moment).fault(link.target, link.page, image=link.image)
            if reason:
                yield DeadLink(link, reason)

    def seen_at(self, row: Model) -> datetime | None:
        """Return the moment from which readers see a row; `None` if it is not published."""
        if not isinstance(row, Publishable):
            return self.now
        if row.state != State.PUBLISHED or row.publish_at is None:
            return None
        return max(row.publish_at, self.now)

    def dead_of(self, row: Model) -> list[DeadLink]:
        """Return the dead links of a saved row and of its inlines."""
        parts = [
            part
            for model, relation in INLINE_MODELS
            if isinstance(row, model._meta.get_field(relation).related_model)  # type: ignore[arg-type]
            for part in model._default_manager.filter(**{relation: row}).select_related(relation)
        ]
        return [*self.dead(link for each in (row, *parts) for link in links_of(each))]

    def dead_everywhere(self) -> list[DeadLink]:
        """Return every dead link of every row that readers see, or will see."""
        return [*self.dead(link for row in public_rows() for link in links_of(row))]

    def missing(self) -> list[str]:
        """Return the unpublished addresses to which the program's own responses link."""
        published = self.at(self.now)
        return [target for target in published.needed if published.fault(target, "/")]


def public_rows() -> Iterator[Model]:
    for publishable in PUBLISHABLE:
        yield from publishable.objects.filter(state=State.PUBLISHED)
    for model in ALWAYS_PUBLIC:
        yield from model._default_manager.all()
    for part, relation in INLINE_MODELS:
        shown = {f"{relation}__state": State.PUBLISHED}
        yield from part._default_manager.filter(**shown).select_related(relation)


def links_of(row: Model) -> Iterator[TypedLink]:
    """Yield every link in the columns of a row."""
    for field in row._meta.concrete_fields:
        if isinstance(field, Line | Prose | Lines):
            yield from links_in(row, field)


def links_in(row: Model, field: "Field[Any, Any]") -> Iterator[TypedLink]:
    text = field.value_to_string(row)
    if isinstance(row, Page):
        text = text.replace(addresses.SITE_PLACEHOLDER, settings.SITE_ROOT)
    page = page_of(row, field.name)
    if field.name in ADDRESS_COLUMNS:
        if text:
            yield TypedLink(row, field.name, 0, f"“{text}”", text, page)
    elif validate_markdown in field.validators:
        for each in markdown.written_links(text):
            yield TypedLink(row, field.name, each.line, each.source, each.target, page, each.image)
    elif "://" in text:
        yield from links_in_plain_text(row, field, text, page)


def links_in_plain_text(
    row: Model, field: "Field[Any, Any]", text: str, page: str
) -> Iterator[TypedLink]:
    """Yield the URIs of a plain text: whole texts, items of lists, and words of sentences."""
    for number, line in enumerate(text.split("\n"), 0 if isinstance(field, Line) else 1):
        is_whole_text = line == text or isinstance(field, Lines)
        for uri in [line] if is_whole_text and is_uri(line) else addresses_in(line):
            yield TypedLink(row, field.name, number, f"“{uri}”", uri, page)


def page_of(row: Model, column: str) -> str:
    """Return the page that shows a text; the home page if its links cannot be relative."""
    english = addresses.HOME
    if isinstance(row, Post):
        english = addresses.post_page(row.slug)
    elif isinstance(row, Page):
        english = addresses.STANDING_PAGES[row.slug]
    return addresses.vietnamese_page(english) if column.endswith(f"_{VIETNAMESE}") else english
