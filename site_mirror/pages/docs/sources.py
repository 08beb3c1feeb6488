"""What the pages of the documentation are made of."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from api import examples
from catalogue import questions
from catalogue.models import ApiVersion, App
from catalogue.models import Page as Row
from site_mirror.context import Context
from site_mirror.described import described
from site_mirror.pages.docs.operations import Document


class Described(Struct, frozen=True):
    """The text of an editor, and the OpenAPI document.

    `shortened` are the operations whose examples leave items out; `apps` are all that are
    published and `posts` is how many articles are.
    """

    page: Row
    document: Document
    shortened: Collection[str]
    apps: Sequence[App]
    posts: int


class Versioned(Struct, frozen=True):
    """The text of an editor, and the versions of the API."""

    page: Row
    versions: Sequence[ApiVersion]


class Reference(Struct, frozen=True):
    """Of the one page that describes the API, if it has been written in a language."""

    language: str

    def all(self, context: Context) -> Iterable[Described]:
        found = self.one(context, "")
        return [found] if found else []

    def one(self, context: Context, slug: str) -> Described | None:
        text = questions.page(context.at, slug="docs-api", language=self.language).first()
        return Described(text, *description(context)) if text else None


@lru_cache(maxsize=1)
def description(context: Context) -> tuple[Document, Collection[str], Sequence[App], int]:
    """What does not depend on the language: a snapshot has several pages of it."""
    return (
        described(context),
        examples.shortened(context.at),
        list(questions.apps(context.at)),
        questions.posts(context.at).count(),
    )


def versioned(at: datetime, *, language: str) -> Versioned | None:
    text = questions.page(at, slug="docs-versioning", language=language).first()
    return Versioned(text, list(questions.versions(at))) if text else None
