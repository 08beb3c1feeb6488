"""The changes that a publication would make, by row and in words, and the fields of its failures.

The registry leads from an address to rows; the words are those of the Markdown mirrors.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct, field

from catalogue import addresses
from catalogue.accounts.languages import translate_around
from catalogue.models import Page
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.differences import Difference, compare_words, shorten
from site_mirror.desk.faults import form_address
from site_mirror.desk.forms import with_data
from site_mirror.desk.history import title_of
from site_mirror.desk.places import SHARED_PLACES
from site_mirror.documents.headers import MARKDOWN_TYPE
from site_mirror.registry.table import FAMILIES, FAMILIES_BY_NAME
from site_mirror.snapshot.changes import Difference as AddressDifference
from site_mirror.snapshot.changes import find_differences
from site_mirror.snapshot.files import read_file
from site_mirror.snapshot.layout import MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import (
    DocumentIndex,
    index_documents,
    read_manifest,
    read_whole_manifest,
)

ADDRESS = re.compile(r"(?<![^\s(])/[^\s,:]*")
VARYING = re.compile(
    r"“[^”]*”|(?<=: ).+|(?=[^\s(]*(?:[/#@\d]|[a-z][A-Z]|\w\.\w))[^\s(]+(?<![.,;:)])"
)
"""What varies in a failure: a quotation, what follows a colon, and names, which have a digit, a
capital or a mark inside, such as addresses and files."""
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
        """The sentence in the language of the user; that of a gate is English."""
        return translate_around(VARYING, self.sentence)


def compare_releases(before: Path | None, after: Path) -> dict[str, Any]:
    """Return the rows whose pages differ, and the number of documents that follow from them."""
    known = read_manifest(before / MANIFEST) if before else None
    old, new = index_documents(before), index_documents(after)
    differences = find_differences(known, read_whole_manifest(after / MANIFEST))
    rows: dict[str, ChangedRow] = {}
    others = 0
    for each in sorted(differences, key=place_in_list):
        page, language = page_of(each.address)
        texts = read_own_text(before, old, each.address), read_own_text(after, new, each.address)
        is_full = len(rows) == MAX_ROWS and page not in rows
        if not any(texts) or is_full or (rows and place_in_list(each)[0]):
            others += 1
            continue
        label = dict(settings.LANGUAGES)[language]
        if page not in rows:
            rows[page] = describe_row(page, each.change, "" if language == ENGLISH else label)
        if all(texts):
            runs = [*shorten([*compare_words(*texts)], SHOWN_AROUND)]
            rows[page].words.append(Difference(language, label, language, runs))
    return {"rows": rows.values(), "others": others}


def place_in_list(change: AddressDifference) -> tuple[bool, str]:
    page, language = page_of(change.address)
    return page in REPEATING or page.startswith(f"{addresses.DOCUMENTATION}/"), language


def read_own_text(release: Path | None, documents: DocumentIndex, address: str) -> str:
    """Return the mirror of a page, unless the page is a list of others, without the site root."""
    entry = documents.find(address)
    if release is None or entry is None or entry.media_type != MARKDOWN_TYPE:
        return ""
    family = FAMILIES_BY_NAME.get(entry.family)
    if family is None or family.lists_pages:
        return ""
    return read_file(release, f"{PUBLIC}/{entry.file}").decode().replace(settings.SITE_ROOT, "")


def describe_row(page: str, change: str, language: str) -> ChangedRow:
    words = {"new": _("appears"), "gone": _("leaves the site")}.get(change, "")
    words = f"{words}: {language}" if words and language else words
    for row in rows_at(page)[:1]:
        title = title_of(admin.site.get_model_admin(type(row)), row)
        kind = capfirst(str(row._meta.verbose_name))
        return ChangedRow(title, form_address(row), f"{kind} {words}")
    return ChangedRow(page, page, words)


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
    """Return what the forms of the rows that failures name refuse, or else the failures."""
    rows = dict.fromkeys(row for sentence in sentences for row in rows_in(sentence))
    causes = [cause for row in rows for cause in causes_in_form(request, row)]
    return causes or [cause_of(sentence) for sentence in sentences]


def rows_in(sentence: str) -> list[Model]:
    """Return the rows of the first address that a sentence names."""
    named = ADDRESS.search(sentence)
    return rows_at(named[0]) if named else []


def causes_in_form(request: HttpRequest, row: Model) -> Iterator[Cause]:
    form: Any = admin.site.get_model_admin(type(row))
    posted = with_data(request, form.public_data(request, row))
    for fault in form.find_faults(posted, row):
        place = f"?line={fault['line']}#{fault['id']}" if fault["id"] else ""
        address = f"{form_address(row)}{place}"
        yield Cause(fault["text"], title_of(form, row), fault["label"], address)


def cause_of(sentence: str) -> Cause:
    """Return a failure that no form explains."""
    for row in rows_in(sentence):
        title = title_of(admin.site.get_model_admin(type(row)), row)
        return Cause(sentence, title, form=form_address(row))
    return Cause(sentence)
