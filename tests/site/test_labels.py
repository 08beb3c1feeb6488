"""Labels of pages are in the translation catalogue, which is whole and compiled."""

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.utils.translation import gettext, override
from django.utils.translation.template import templatize

from site_mirror import settings

ROOT = Path(settings.BASE_DIR)
PLACE = ROOT / "site_mirror/locale/vi/LC_MESSAGES"
SOURCES = [("**/jinja2/**.html", "jinja2"), ("**.py", "python")]


CALL = re.compile(r"""\b(?:_|gettext|ngettext)\( ?u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
"""A label in a template as Django rewrites it for gettext's own tools."""


def catalogue() -> Catalog:
    return read_po(io.BytesIO((PLACE / "django.po").read_bytes()), locale="vi")


def labels() -> Iterator[tuple[str, str | None]]:
    """Every label of the code and the templates, with its context."""
    for package in ("catalogue", "site_mirror"):
        found = extract_from_dir(ROOT / package, SOURCES, keywords=DEFAULT_KEYWORDS)
        for _, _, message, _, context in found:
            yield message[0] if isinstance(message, tuple) else message, context
    for path in (ROOT / "catalogue/templates").rglob("*.*"):
        for found in CALL.findall(templatize(path.read_text())):
            yield ast.literal_eval(found), None


def said(labels: Catalog) -> dict[tuple[str, str], list[str]]:
    return {
        (words(message.id)[0], context_of(message)): words(message.string)
        for message in labels
        if message.id
    }


def words(text: Any) -> list[str]:
    """A label, or its singular and plural."""
    return [text] if isinstance(text, str) else list(text)


def context_of(message: Message) -> str:
    """A compiled catalogue is read with contexts as bytes."""
    context = message.context or ""
    return context.decode() if isinstance(context, bytes) else context


def test_the_catalogue_has_every_label_and_no_other() -> None:
    known = {
        (message.id[0] if isinstance(message.id, tuple) else message.id, message.context)
        for message in catalogue()
        if message.id
    }

    assert known == set(labels())


def test_every_label_is_in_vietnamese() -> None:
    unfinished = [
        message.id
        for message in catalogue()
        if message.id and (not message.string or message.fuzzy or not all(message.string))
    ]

    assert unfinished == []


def test_the_compiled_catalogue_says_the_same() -> None:
    compiled = read_mo(io.BytesIO((PLACE / "django.mo").read_bytes()))

    assert said(compiled) == said(catalogue())


@pytest.mark.parametrize(("language", "label"), [("en", "Apps"), ("vi", "Ứng dụng")])
def test_a_label_is_in_the_language_of_its_page(language: str, label: str) -> None:
    with override(language):
        assert gettext("Apps") == label
