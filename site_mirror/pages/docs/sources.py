"""Sources of the pages about the API."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from api.contract import JSON
from catalogue import questions
from catalogue.models import ApiVersion, App
from catalogue.models import Page as Row
from site_mirror.documents.context import Context
from site_mirror.documents.openapi import openapi_document
from site_mirror.pages.docs.operations import OpenApiDocument


class ApiReference(Struct, frozen=True):
    """The subject of the reference: the editors' text, and the OpenAPI document.

    `shortened` are operations whose examples omit items; `apps` are all published apps, `posts` is
    the number of published articles.
    """

    page: Row
    document: OpenApiDocument
    shortened: Collection[str]
    apps: Sequence[App]
    posts: int


class VersioningPolicy(Struct, frozen=True):
    """The subject of the versioning policy: the editors' text, and the versions of the API."""

    page: Row
    versions: Sequence[ApiVersion]


class ReferenceSource(Struct, frozen=True):
    """The source of the reference, if its text is written in a language."""

    language: str

    def all(self, context: Context) -> Iterable[ApiReference]:
        subject = self.one(context, "")
        return [subject] if subject else []

    def one(self, context: Context, slug: str) -> ApiReference | None:
        text = questions.page(context.at, slug="docs-api", language=self.language).first()
        return ApiReference(text, *read_api_content(context)) if text else None


@lru_cache(maxsize=1)
def read_api_content(
    context: Context,
) -> tuple[OpenApiDocument, Collection[str], Sequence[App], int]:
    """Return the parts of the subject that do not depend on the language, read once for both."""
    return (
        openapi_document(context),
        shortened_operations(openapi_document(context)),
        list(questions.apps(context.at)),
        questions.posts(context.at).count(),
    )


def gather_versions(at: datetime, *, language: str) -> VersioningPolicy | None:
    text = questions.page(at, slug="docs-versioning", language=language).first()
    return VersioningPolicy(text, list(questions.versions(at))) if text else None


def shortened_operations(document: OpenApiDocument) -> Collection[str]:
    """Return the operations whose example leaves out items."""
    found = {"getApiIndex"}
    for methods in document["paths"].values():
        for operation in methods.values():
            example = operation["responses"]["200"]["content"][JSON].get("example", {})
            if example.get("meta", {}).get("count", 1) > 1:
                found.add(operation["operationId"])
    return found
