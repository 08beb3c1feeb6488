"""The shipped content, loaded once for each module, and its texts, links and addresses."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from catalogue import addresses, shipped
from catalogue.addresses import Site, post_page, vietnamese_page
from catalogue.markdown import link_targets, to_html
from catalogue.models import (
    App,
    Page,
    Post,
    TimelineLink,
)
from site_mirror.registry.contexts import context_at
from tests.factories import list_content_tables
from tests.shipped_content import load_shipped_content
from tests.site.page_reader import render_documents

AT = datetime(2026, 11, 21, tzinfo=UTC)


POSTS = sorted(path.stem for path in (shipped.FIXTURES / "posts").iterdir())


APPS = sorted(path.stem for path in (shipped.FIXTURES / "apps").iterdir())


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The shipped content, loaded once for a module and rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_shipped_content()
        yield
        transaction.set_rollback(True)


def list_texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text in a language, with the name of its row and column."""
    for model in list_content_tables():
        for row in model._default_manager.all():
            for field in model._meta.concrete_fields:
                if field.name.endswith(f"_{language}") and getattr(row, field.name):
                    yield f"{model.__name__} {row} {field.name}", getattr(row, field.name)


def list_bodies() -> Iterator[tuple[str, str]]:
    """Yield every Markdown text with the address of its page."""
    for row, page in [
        *((post, post_page(post.slug)) for post in Post.objects.all()),
        *((page, addresses.STANDING_PAGES[page.slug]) for page in Page.objects.all()),
    ]:
        yield page, row.body_en
        if row.body_vi:
            yield vietnamese_page(page), row.body_vi


DIACRITICS = re.compile(
    "[ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ]", re.IGNORECASE
)


def list_vietnamese_texts() -> list[tuple[str, str]]:
    """Yield every Vietnamese text except names of apps, which are not translated."""
    names = set(App.objects.values_list("name", flat=True))
    return [(name, text) for name, text in list_texts("vi") if text not in names]


SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')\]*_]*\s+")


def split_sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


@cache
def list_published_addresses() -> set[str]:
    """Return every address that the registry publishes."""
    context = context_at(Site("https://studio.example"), AT)
    return {document.address for document in render_documents(context)}


def list_section_ids() -> dict[str, set[str]]:
    return {
        page: set(re.findall(r'<h[2-6] id="([^"]+)"', to_html(body)))
        for page, body in list_bodies()
    }


def list_links() -> Iterator[tuple[str, str]]:
    """Yield every link with the page that has it."""
    for page, body in list_bodies():
        yield from ((page, target) for target in link_targets(body))
    for link in TimelineLink.objects.all():
        yield f"timeline {link.entry}", link.href


def remove_code_and_tables(text: str) -> str:
    """Remove code and tables, whose lines may repeat."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^\|.*$|^#+ .*$", "", text, flags=re.MULTILINE)


NOT_WORDS = re.compile(
    r"^```.*?^```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", re.MULTILINE | re.DOTALL
)


def split_words(text: str) -> str:
    """Return the words of a text without code, formulas and targets of links."""
    return NOT_WORDS.sub("", text)


def list_translated_bodies() -> Iterator[tuple[str, str, str]]:
    """Yield the English and the Vietnamese body of every page with its slug."""
    for row in [*Post.objects.all(), *Page.objects.all()]:
        yield row.slug, row.body_en, row.body_vi
