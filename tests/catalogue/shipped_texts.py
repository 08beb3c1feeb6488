"""The texts of the shipped content."""

from collections.abc import Iterator

from catalogue.addresses import STANDING_PAGES, post_page, vietnamese_page
from catalogue.models import Page, Post
from tests.factories import list_content_tables


def list_texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text in a language, with the name of its row and column."""
    for model in list_content_tables():
        for row in model._default_manager.all():
            for field in model._meta.concrete_fields:
                is_text = field.editable and field.name.endswith(f"_{language}")
                if is_text and getattr(row, field.name):
                    yield f"{model.__name__} {row} {field.name}", getattr(row, field.name)


def list_bodies() -> Iterator[tuple[str, str]]:
    """Yield every Markdown text with the address of its page."""
    for row, page in [
        *((post, post_page(post.slug)) for post in Post.objects.all()),
        *((page, STANDING_PAGES[page.slug]) for page in Page.objects.all()),
    ]:
        yield page, row.body_en
        if row.body_vi:
            yield vietnamese_page(page), row.body_vi
