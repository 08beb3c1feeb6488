"""Each catalogue has all labels of its sources, and its compiled form is up to date."""

import ast
import io
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.apps import apps
from django.utils.translation.template import templatize

from api.schema import VALUES, read_contract
from api.schema_generation import mappings_in
from catalogue.addresses import Site
from catalogue.models.countries import COUNTRY_CODES
from catalogue.rules import PATTERN_MESSAGES, AtField
from site_mirror import settings
from site_mirror.pages.docs.outline import TOPICS
from site_mirror.pages.docs.schemas import DOCUMENT_TEXT

ROOT = Path(settings.BASE_DIR)
PUBLIC = "site_mirror/locale/vi/LC_MESSAGES/django"
DESK = "site_mirror/desk/locale/vi/LC_MESSAGES/django"
SCRIPTS = "site_mirror/desk/locale/vi/LC_MESSAGES/djangojs"
WORDS = "site_mirror/locale/words/vi/LC_MESSAGES/django"
CATALOGUES = (PUBLIC, DESK, SCRIPTS, WORDS)
KEYWORDS = {**DEFAULT_KEYWORDS, "gettext_lazy": None, "gettext_noop": None}

STRING = r"""u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
CALL = re.compile(rf"\b(?:_|gettext|ngettext|pgettext\( ?{STRING},)\(? ?{STRING}")
"""A label in the Python code that Django generates from a template, after its context."""

EMPHASIS = re.compile(r"\*([^*]+)\*")
NO_LABELS = {"English", "Bản đồ", "bản tĩnh"}
"""What the guide emphasizes and is no label of a catalogue."""

Label = tuple[str, str]


def read_catalogue(name: str) -> Catalog:
    return read_po(io.BytesIO((ROOT / f"{name}.po").read_bytes()), locale="vi")


def extract_labels(name: str) -> Iterator[Label]:
    """Yield all labels of the sources of a catalogue with their context."""
    if name == WORDS:
        yield from ((text, "") for text in words_of_models())
        yield from ((text, DOCUMENT_TEXT) for text in texts_of_contract())
        yield from ((code, "country") for code in COUNTRY_CODES)
        return
    if name == SCRIPTS:
        yield from extract(ROOT / "site_mirror/desk/static", [("**.js", "javascript")])
        return
    sources = [("**/desk/**", "ignore"), ("**/jinja2/**.html", "jinja2"), ("**.py", "python")]
    if name == PUBLIC:
        yield from extract(ROOT / "catalogue", sources)
        yield from extract(ROOT / "site_mirror", sources)
        folders = [ROOT / "catalogue/templates", ROOT / "catalogue/theme"]
    else:
        yield from extract(ROOT / "site_mirror/desk", [("**.py", "python")])
        folders = [ROOT / "site_mirror/desk/templates"]
    for path in (path for folder in folders for path in folder.rglob("*.*")):
        for context, text in CALL.findall(templatize(path.read_text())):
            yield ast.literal_eval(text), ast.literal_eval(context) if context else ""


def extract(folder: Path, sources: list[tuple[str, str]]) -> Iterator[Label]:
    for _, _, message, _, context in extract_from_dir(folder, sources, keywords=KEYWORDS):
        yield forms_of(message)[0], context or ""


def words_of_models() -> Iterator[str]:
    """Yield the names, helps and rules of the models, which are translated where they are shown."""
    yield from PATTERN_MESSAGES.values()
    for model in apps.get_app_config("catalogue").get_models():
        meta: Any = model._meta
        yield from (str(meta.verbose_name), str(meta.verbose_name_plural))
        for field in (*meta.fields, *meta.many_to_many):
            yield from filter(None, (str(field.verbose_name), str(field.help_text)))
        rules = (each for each in meta.constraints if isinstance(each, AtField))
        yield from (str(rule.violation_error_message) for rule in rules)


def texts_of_contract() -> Iterator[str]:
    """Yield the groups, summaries and descriptions of the OpenAPI document, and its topics."""
    yield from (text for topic in TOPICS for text in (topic.title, topic.text))
    document = read_contract(Site("https://studio.example"))
    yield from (group["name"] for group in document["tags"])
    for part in mappings_in([document["tags"], document["paths"], document["components"]]):
        texts = (part.get(name) for name in ("summary", "description"))
        yield from (text for text in texts if isinstance(text, str))
        yield from part.get(VALUES, {}).values()


def translations_of(catalogue: Catalog) -> dict[Label, list[str]]:
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


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_has_all_labels_and_no_others(name: str) -> None:
    known, used = translations_of(read_catalogue(name)).keys(), {*extract_labels(name)}
    assert used - known == set()
    if name == WORDS:  # It has words of the theme and of Django, too.
        known = {label for label in known if label[1] in (DOCUMENT_TEXT, "country")}
        used = {label for label in used if label[1]}
    assert known - used == set()


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_label_is_in_vietnamese_in_both_forms_of_a_catalogue(name: str) -> None:
    source = read_catalogue(name)
    compiled = read_mo(io.BytesIO((ROOT / f"{name}.mo").read_bytes()))

    assert [message.id for message in source if message.id and message.fuzzy] == []
    assert [label for label, texts in translations_of(source).items() if not all(texts)] == []
    assert translations_of(compiled) == translations_of(source)


def test_a_label_has_the_same_words_in_each_catalogue() -> None:
    """Django merges them, so that the words of one hide those of another."""
    known = [translations_of(read_catalogue(name)) for name in (PUBLIC, DESK, WORDS)]
    for one, other in combinations(known, 2):
        shared = one.keys() & other.keys()
        assert {label: one[label] for label in shared} == {label: other[label] for label in shared}


def test_the_guide_in_vietnamese_names_what_the_desk_shows() -> None:
    known = {
        text.partition(" (%")[0].rstrip("…").casefold()
        for name in CATALOGUES
        for forms in translations_of(read_catalogue(name)).values()
        for form in forms
        for text in (form, *form.split(","))
    }
    guide = " ".join((ROOT / "docs/editing.vi.md").read_text().replace("**", "").split())
    named = {part for found in EMPHASIS.findall(guide) for part in found.rstrip("…").split(" → ")}
    assert {name for name in named if name.casefold() not in known} == NO_LABELS
