"""Two questions: where do the links of a row lead, and which texts name the address of a row?"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from datetime import datetime
from functools import cache, reduce
from itertools import product
from operator import or_
from typing import Any
from urllib.parse import unquote

from django.apps import apps
from django.conf import settings
from django.db.models import Field, Model, Q
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue import addresses
from catalogue.links.plain_links import addresses_in, is_uri
from catalogue.models import (
    App,
    Page,
    Post,
    Principle,
    ScienceTopic,
    Symbol,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)
from catalogue.texts import markdown
from catalogue.texts.fields import Line, Lines, Prose
from catalogue.texts.markdown_rules import validate_markdown
from site_mirror.desk.places import place_of
from site_mirror.desk.site import SiteAt, seen_from
from site_mirror.desk.what_if import Trial
from site_mirror.gates.reading import target_of

ADDRESS_COLUMNS = frozenset({"href", "security_contact", "security_policy"})
"""Columns whose whole value is an address, even without a scheme and a host."""

LISTS: Mapping[type[Model], str] = {
    App: "apps",
    Post: "blog",
    ScienceTopic: "science",
    TimelineEntry: "timeline",
    Principle: "about",
    TeamMember: "about",
}
"""The page on which rows of a table are listed, beside the home page."""
HOME_PLACES = ("/#", "/vi#")
"""The beginnings of the addresses of places on the home page, which come and go with its rows."""
MAX_WORDS = 50
"""Words in a query: SQLite limits the depth of an expression."""

INLINES: dict[type[Model], str] = {TimelineLink: "entry", Symbol: "topic"}
"""Tables of inlines, each with the relation to the row that is published."""


class TypedLink(Struct, frozen=True):
    """A link in a field of a row or of its inlines; `line` is 0 if the field has one line only.

    `page` is the address against which a relative link and a `#fragment` are resolved. The target
    of an `image` is loaded by the page.
    """

    row: Any
    field: "Field[Any, Any]"
    line: int
    target: str
    page: str
    image: bool = False


class DeadLink(Struct, frozen=True):
    """A link that must not be published, with the reason."""

    link: TypedLink
    reason: str

    def __str__(self) -> str:
        """The error at the field of the link."""
        text = f"“{unquote(self.link.target)}” {self.reason}."
        line = self.link.line
        return _("Line %(line)s: %(text)s") % {"line": line, "text": text} if line else text

    @property
    def sentence(self) -> str:
        """The error with the label of its field: `Body, English. Line 12: …`."""
        return f"{capfirst(str(self.link.field.verbose_name))}. {self}"


class Checker:
    """Checks each link at the moment when readers see its row, which is `now` at the earliest."""

    def __init__(self, now: datetime | None = None) -> None:
        self.now = now or timezone.now()
        self.at = cache(SiteAt)

    def dead_of(self, row: Model) -> list[DeadLink]:
        """Return the dead links of a saved row; a row that is not published has none."""
        return self.find_dead(row, links_of(row))

    def dead_in_forms(self, trial: Trial) -> Iterator[tuple[Any, DeadLink]]:
        """Yield the dead links in the forms of a row, each with its form.

        While one is invalid, the row is not saved, so links to its own page are left out. Those on
        a new row, which has no saved parts to try instead, are compared with the text's headings.
        """
        row, root = trial.forms.form.instance, settings.SITE_ROOT
        for form in trial.forms.row_forms():
            if form.cleaned_data.get("DELETE") or not (form.has_changed() or form.instance.pk):
                continue
            typed = copy(form.instance)
            for field in texts_of(type(typed)):
                if field.name not in form.fields:
                    continue
                if field.name not in form.cleaned_data:
                    setattr(typed, field.name, field.to_python(form[field.name].value() or ""))
                for dead in self.find_dead(row, links_of_field(row, typed, field)):
                    where, _hash, place = target_of(
                        dead.link.target, dead.link.page, root
                    ).partition("#")
                    if trial.row or where != dead.link.page:
                        yield form, dead
                    elif not row.pk and lacks_heading(read_text(typed, field), place):
                        reason = _("leads to %(place)s, a place that is not there")
                        yield form, DeadLink(dead.link, reason % {"place": f"{where}#{place}"})

    def find_dead(self, row: Model, links: Iterable[TypedLink]) -> list[DeadLink]:
        moment = seen_from(row, self.now)
        if moment is None:
            return []
        return [
            DeadLink(link, reason)
            for link in links
            if (reason := self.at(moment).fault(link.target, link.page, image=link.image))
        ]


def lacks_heading(text: str, place: str) -> bool:
    """Whether no heading of a text has the name; sections around a text end in `_`."""
    is_of_text = place and not place.endswith("_")
    return bool(is_of_text) and f'id="{place}"' not in markdown.to_html(text)


def dead_links_naming(
    words: Collection[str], changed: Collection[Model], at: datetime | None = None
) -> list[DeadLink]:
    """Return the dead links with one of the words, except those of changed rows.

    `at` is when readers see the change, if not now.
    """
    checker = Checker(at)
    rows = sorted(
        rows_naming(words) - {*changed}, key=lambda row: (row._meta.label, str(row), row.pk)
    )
    return [
        dead
        for row in rows
        for dead in checker.find_dead(
            row, (link for link in links_of(row) if any(word in link.target for word in words))
        )
    ]


def newly_broken(after: Collection[DeadLink], at: datetime | None = None) -> list[DeadLink]:
    """Return those links, found after a change that is rolled back, that are not dead without it.

    Those of milestones are left out, as the page leaves them out.
    """
    checker, rows = Checker(at), {dead.link.row for dead in after}
    before = {dead.link for row in rows for dead in checker.dead_of(row)}
    return [
        dead
        for dead in after
        if dead.link not in before and dead.link.field.model is not TimelineLink
    ]


def words_of(rows: Iterable[Model]) -> set[str]:
    """Return a part of each address and place that published rows have or cause."""
    return {word for row in rows if seen_from(row) for word in words_of_row(row)}


def words_of_row(row: Any) -> Iterator[str]:
    """Yield the words of a row; it causes places on lists and on the page of its app."""
    yield from HOME_PLACES
    if type(row) in LISTS:
        yield f"{LISTS[type(row)]}#"
    if isinstance(row, Page):
        page = addresses.STANDING_PAGES[row.slug]
        yield page if page != addresses.HOME else "/vi"
    elif name := getattr(row, "slug", None) or getattr(row, "handle", None):
        yield name
    if hasattr(row, "former_slugs"):
        yield from row.former_slugs.values_list("slug", flat=True)
    if isinstance(row, Post) and row.publish_at:
        yield from (f"tags/{slug}" for slug in row.tags.values_list("slug", flat=True))
        yield f"years/{row.date.year}"
    if isinstance(row, ScienceTopic):
        apps = [*row.apps.all()]
    else:
        apps = [row.app] if isinstance(row, Post) and row.app else []
    yield from (f"apps/{app.slug}#" for app in apps)


def rows_naming(words: Collection[str]) -> set[Model]:
    """Return the published and scheduled rows with a word in a text, or in that of an inline."""
    found, ordered = set(), sorted(words)
    chunks = [ordered[start : start + MAX_WORDS] for start in range(0, len(ordered), MAX_WORDS)]
    for model, chunk in product(apps.get_app_config("catalogue").get_models(), chunks):
        naming = [
            Q(**{f"{field.name}__contains": word}) for field in texts_of(model) for word in chunk
        ]
        if naming:
            parts = model._default_manager.filter(reduce(or_, naming))
            found |= {getattr(part, INLINES[model]) if model in INLINES else part for part in parts}
    return {row for row in found if seen_from(row)}


def links_of(row: Model) -> Iterator[TypedLink]:
    """Yield every link in the texts of a row and of its inlines."""
    parts = [
        part
        for model, owner in INLINES.items()
        if isinstance(row, model._meta.get_field(owner).related_model)  # type: ignore[arg-type]
        for part in model._default_manager.filter(**{owner: row})
    ]
    for part in (row, *parts):
        for field in texts_of(type(part)):
            yield from links_of_field(row, part, field)


def links_of_field(row: Model, part: Model, field: "Field[Any, Any]") -> Iterator[TypedLink]:
    """Yield the links in a field of a row, or of a part of the row."""
    text, page = read_text(part, field), page_of(part, field.name)
    for line, target, image in links_in(field, text):
        yield TypedLink(row, field, line, target, page, image)


def texts_of(model: type[Model]) -> Iterator["Field[Any, Any]"]:
    for field in model._meta.concrete_fields:
        if isinstance(field, Line | Prose | Lines):
            yield field


def read_text(row: Model, field: "Field[Any, Any]") -> str:
    text = field.value_to_string(row)
    is_page = isinstance(row, Page)
    return text.replace(addresses.SITE_PLACEHOLDER, settings.SITE_ROOT) if is_page else text


def links_in(field: "Field[Any, Any]", text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield line and target of each link, and whether it is an image."""
    if field.name in ADDRESS_COLUMNS:
        if text:
            yield 0, text, False
    elif validate_markdown in field.validators:
        yield from markdown.written_links(text)
    elif "://" in text:
        for number, line in enumerate(text.split("\n"), 0 if isinstance(field, Line) else 1):
            is_whole_text = line == text or isinstance(field, Lines)
            for uri in [line] if is_whole_text and is_uri(line) else addresses_in(line):
                yield number, uri, False


def page_of(row: Model, column: str) -> str:
    """Return the page that shows a text; the home page if its links cannot be relative."""
    english = place_of(row).page if isinstance(row, Post | Page) else addresses.HOME
    return addresses.page_in(column.rpartition("_")[2], english)
