"""The shipped content, loaded once a module, and its texts, links and addresses."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from catalogue import addresses, shipped
from catalogue.addresses import Site, post_page, vietnamese
from catalogue.markdown import link_targets, to_html
from catalogue.models import (
    App,
    Page,
    Post,
    TimelineLink,
)
from site_mirror.framing import context_at
from site_mirror.registry import documents
from tests.catalogue.makers import content_models

AT = datetime(2026, 11, 21, tzinfo=UTC)


POSTS = sorted(path.stem for path in (shipped.FIXTURES / "posts").iterdir())


APPS = sorted(path.stem for path in (shipped.FIXTURES / "apps").iterdir())


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The shipped content, loaded once for this module and rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        shipped.load()
        yield
        transaction.set_rollback(True)


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Every text in a language, with a name for it."""
    for model in content_models():
        for row in model._default_manager.all():
            for field in model._meta.concrete_fields:
                if field.name.endswith(f"_{language}") and getattr(row, field.name):
                    yield f"{model.__name__} {row} {field.name}", getattr(row, field.name)


def bodies() -> Iterator[tuple[str, str]]:
    """Every Markdown text, with the address of its page."""
    for row, page in [
        *((post, post_page(post.slug)) for post in Post.objects.all()),
        *((page, addresses.STANDING_PAGES[page.slug]) for page in Page.objects.all()),
    ]:
        yield page, row.body_en
        if row.body_vi:
            yield vietnamese(page), row.body_vi


DIACRITICS = re.compile(
    "[ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ]", re.IGNORECASE
)


def vietnamese_texts() -> list[tuple[str, str]]:
    """Every Vietnamese text but the names of apps, which are alike in every language."""
    names = set(App.objects.values_list("name", flat=True))
    return [(name, text) for name, text in texts("vi") if text not in names]


SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')\]*_]*\s+")


def sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


def published() -> set[str]:
    """Every address that a link may lead to: what the registry publishes."""
    context = context_at(Site("https://studio.example"), AT)
    return {document.address for document in documents(context)}


def section_ids() -> dict[str, set[str]]:
    return {
        page: set(re.findall(r'<h[2-6] id="([^"]+)"', to_html(body))) for page, body in bodies()
    }


def links() -> Iterator[tuple[str, str]]:
    """Every link, with where it stands."""
    for page, body in bodies():
        yield from ((page, target) for target in link_targets(body))
    for link in TimelineLink.objects.all():
        yield f"timeline {link.entry}", link.href


def prose(text: str) -> str:
    """Markdown without code and tables, whose lines may well be alike."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^\|.*$|^#+ .*$", "", text, flags=re.MULTILINE)


NOT_WORDS = re.compile(
    r"^```.*?^```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", re.MULTILINE | re.DOTALL
)


def words(text: str) -> str:
    """Markdown without code, formulas and the targets of links."""
    return NOT_WORDS.sub("", text)


def translated() -> Iterator[tuple[str, str, str]]:
    """Every body in both languages, with the slug of its page."""
    for row in [*Post.objects.all(), *Page.objects.all()]:
        yield row.slug, row.body_en, row.body_vi
