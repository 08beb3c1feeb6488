"""The translation catalogue has all labels of the pages, and its compiled form is up to date."""

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

from site_mirror import settings

ROOT = Path(settings.BASE_DIR)
CATALOGUE_FOLDER = ROOT / "site_mirror/locale/vi/LC_MESSAGES"
SOURCES = [("**/jinja2/**.html", "jinja2"), ("**.py", "python")]

CALL = re.compile(r"""\b(?:_|gettext|ngettext)\( ?u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
"""A label in the Python code that Django generates from a template."""


def read_catalogue() -> Catalog:
    return read_po(io.BytesIO((CATALOGUE_FOLDER / "django.po").read_bytes()), locale="vi")


def extract_labels() -> Iterator[tuple[str, str]]:
    """Yield all labels of the code and the templates with their context."""
    for package in ("catalogue", "site_mirror"):
        found = extract_from_dir(ROOT / package, SOURCES, keywords=DEFAULT_KEYWORDS)
        for _, _, message, _, context in found:
            yield forms_of(message)[0], context or ""
    for path in (ROOT / "catalogue/templates").rglob("*.*"):
        for found in CALL.findall(templatize(path.read_text())):
            yield ast.literal_eval(found), ""


def translations_of(catalogue: Catalog) -> dict[tuple[str, str], list[str]]:
    return {
        (forms_of(message.id)[0], context_of(message)): forms_of(message.string)
        for message in catalogue
        if message.id
    }


def forms_of(text: Any) -> list[str]:
    """Return a label as a list, or its singular and plural."""
    return [text] if isinstance(text, str) else list(text)


def context_of(message: Message) -> str:
    """Return the context of a message; in a compiled catalogue it is bytes."""
    context = message.context or ""
    return context.decode() if isinstance(context, bytes) else context


def test_the_translation_catalogue_has_all_labels_and_no_others() -> None:
    assert translations_of(read_catalogue()).keys() == set(extract_labels())


def test_every_label_is_in_vietnamese_in_both_forms_of_the_catalogue() -> None:
    source = read_catalogue()
    compiled = read_mo(io.BytesIO((CATALOGUE_FOLDER / "django.mo").read_bytes()))

    assert [message.id for message in source if message.id and message.fuzzy] == []
    assert [label for label, texts in translations_of(source).items() if not all(texts)] == []
    assert translations_of(compiled) == translations_of(source)
