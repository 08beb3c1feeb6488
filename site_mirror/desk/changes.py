"""The changes that a publication would make, by row and in words, and the fields of its failures.

The registry leads from an address to rows; the words are those of the Markdown mirrors.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from msgspec import Struct, field

from catalogue import addresses
from catalogue.accounts.languages import translate_around
from catalogue.models import Page
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.differences import Difference, compare_words, shorten
from site_mirror.desk.faults import Fault, form_address
from site_mirror.desk.forms import with_data
from site_mirror.desk.history import title_of
from site_mirror.desk.links import texts_of
from site_mirror.desk.places import SHARED_PLACES
from site_mirror.freeze.rehearsal import Change
from site_mirror.registry.table import FAMILIES, FAMILIES_BY_NAME

ADDRESS = re.compile(r"(?<![^\s(])/[^\s,:]*")
REPEATING = {addresses.page_of_mirror(addresses.SITE_MAP)} | {
    addresses.STANDING_PAGES[slug] for slug in ("home", "apps", "blog", "docs-api")
}
"""Pages that repeat the texts of rows with pages of their own."""
SHOWN_AROUND = 80
"""The length of the unchanged text before and after a change: the rows are many."""
MAX_ROWS = 20
"""Rows whose words are compared; of more, only the addresses are listed."""


class ChangedRow(Struct):
    """A row, or a page that no row has by itself, with what differs on its pages."""

    title: str
    kind: str
    form: str
    change: str
    words: list[Difference] = field(default_factory=list)


class Cause(Struct):
    """A failure of a gate, and the form and field of the text that it is about."""

    sentence: str
    title: str = ""
    label: str = ""
    form: str = ""

    @property
    def words(self) -> str:
        """The sentence in the language of the user; that of a gate is English, with addresses."""
        return translate_around(ADDRESS, self.sentence)


def group_by_row(changes: Iterable[Change]) -> tuple[list[ChangedRow], list[Change]]:
    """Return the rows whose pages differ, and the documents that follow from them."""
    rows: dict[Any, ChangedRow] = {}
    others = []
    for change in sorted(changes, key=lambda each: page_of(each.address)[0] in REPEATING):
        page, language = page_of(change.address)
        is_full = len(rows) == MAX_ROWS and page not in rows
        if not is_own_text(change) or is_full or (rows and page in REPEATING):
            others.append(change)
            continue
        if page not in rows:
            rows[page] = describe_row(page, change)
        if change.before and change.after:
            texts = (change.before, change.after)
            before, after = (text.replace(settings.SITE_ROOT, "") for text in texts)
            runs = [*shorten([*compare_words(before, after)], SHOWN_AROUND)]
            label = dict(settings.LANGUAGES)[language]
            rows[page].words.append(Difference(language, label, language, runs))
    return list(rows.values()), others


def is_own_text(change: Change) -> bool:
    """Whether a document is the mirror of a page that is no list of others."""
    family = FAMILIES_BY_NAME.get(change.family)
    is_mirror = bool(change.before or change.after)
    return family is not None and is_mirror and not family.lists_pages


def describe_row(page: str, change: Change) -> ChangedRow:
    row = next(iter(rows_at(page)), None)
    if row is None:
        return ChangedRow(page, "", "", change.change)
    kind = capfirst(str(row._meta.verbose_name))
    return ChangedRow(
        title_of(admin.site.get_model_admin(type(row)), row), kind, form_address(row), change.change
    )


def page_of(address: str) -> tuple[str, str]:
    """Return the English page of a page or a mirror in any language, and that language."""
    page = addresses.page_of_mirror(address)
    if page == "/vi" or page.startswith("/vi/"):
        return page.removeprefix("/vi") or "/", VIETNAMESE
    return page, ENGLISH


def rows_at(address: str) -> list[Model]:
    """Return the rows that the document at an address is made of, in any state.

    A page that has no row of its own comes before the rows of tables that it shows.
    """
    at, page = timezone.now(), page_of(address)[0]
    for family in FAMILIES:
        slug = family.slug_of(address)
        if slug and family.rows:
            model = family.rows(at).model
            found = model._default_manager.filter(Q(slug=slug) | Q(former_slugs__slug=slug))
            if row := found.order_by("pk").first():
                return [row]
    standing = (slug for slug, own in addresses.STANDING_PAGES.items() if own == page)
    rows: list[Model] = [*Page.objects.filter(slug__in=standing)]
    for model, place in SHARED_PLACES.items():
        if page == place.page or address == place.data:
            rows += model._default_manager.all()
    return rows


def find_causes(request: HttpRequest, sentences: Sequence[str]) -> list[Cause]:
    """Return what the forms of the rows that failures name refuse, and the other failures."""
    causes: dict[str, Cause] = {}
    explained, others = set[str](), []
    for sentence in sentences:
        named = ADDRESS.search(sentence)
        address = named[0] if named else ""
        rows = rows_at(address) if named else []
        found = [each for row in rows for each in causes_in_form(request, row)]
        causes.update((each.form, each) for each in found)
        if found:
            explained |= {address, sentence.removeprefix(address)}
        else:
            others.append((address, cause_in_row(rows[0], sentence) if rows else Cause(sentence)))
    # A list of pages repeats what its pages have.
    return [*causes.values()] + [
        each
        for address, each in others
        if not explained & {each.sentence.removeprefix(address), *each.sentence.split()}
    ]


def causes_in_form(request: HttpRequest, row: Model) -> list[Cause]:
    form: Any = admin.site.get_model_admin(type(row))
    posted = with_data(request, form.public_data(request, row))
    title, address = title_of(form, row), form_address(row)
    return [cause_of_fault(title, address, fault) for fault in form.find_faults(posted, row)]


def cause_of_fault(title: str, form: str, fault: Fault) -> Cause:
    mark = "&" if "?" in form else "?"
    place = f"{mark}line={fault['line']}#{fault['id']}" if fault["id"] else ""
    return Cause(fault["text"], title, fault["label"], f"{form}{place}")


def cause_in_row(row: Model, sentence: str) -> Cause:
    """Return a failure about a row that its form accepts: it is about the title, or unknown."""
    form: Any = admin.site.get_model_admin(type(row))
    _, language = page_of(sentence.split(maxsplit=1)[0])
    names = (f"{form.title_of_row}_{language}", form.title_of_row, "name")
    cause = Cause(sentence, title_of(form, row), "", form_address(row))
    for column in texts_of(type(row)):
        if "different titles" in sentence and column.name in names:
            cause.label = capfirst(str(column.verbose_name))
            cause.form += f"#id_{column.name}"
    return cause
