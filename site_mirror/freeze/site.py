"""The freeze of this site: read it in one transaction, and pass it to the engine as a value."""

from collections.abc import Collection, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path

import orjson
from django.conf import settings
from django.db import DatabaseError
from msgspec.structs import replace

from api.contract import API_VERSION, PROBLEM_JSON, VERSION
from api.endpoints import served_version
from api.headers import REDIRECT_HEADERS, error_headers
from api.lifecycle import lifecycle_headers
from api.problems import problem_body
from api.schema import openapi_description
from catalogue import addresses, questions
from catalogue.addresses import Site as Addresses
from catalogue.content.published import published_content
from catalogue.read_transactions import read_transaction
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.documents.context import Context
from site_mirror.documents.error_bodies import (
    VIETNAMESE_STATUSES,
    has_vietnamese_refusals,
    refusal_body,
)
from site_mirror.documents.headers import MARKDOWN_TYPE, transport_headers
from site_mirror.freeze import up_to_date
from site_mirror.freeze.batches import list_batches, site_batches
from site_mirror.freeze.withdrawals import Withdrawals
from site_mirror.freeze.workers import worker_pool
from site_mirror.gates.deletions import MAX_DELETED_PERCENT
from site_mirror.gates.gates import Examiner, SiteGates
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from site_mirror.snapshot.entries import Redirect
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.freeze import DEFAULT_OPTIONS, Options, SiteContent, freeze
from site_mirror.snapshot.release_writer import ErrorResponse
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.target import Target

API_ERROR_STATUSES = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.PRECONDITION_FAILED,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)


def freeze_site(
    folder: Path,
    *,
    at: datetime,
    generated_at: datetime,
    is_dated: bool = True,
    options: Options = DEFAULT_OPTIONS,
    jobs: int | None = None,
    retired: Collection[str] = (),
    max_deleted_percent: int = MAX_DELETED_PERCENT,
) -> Report:
    """Publish the site as of a moment in a target folder. Raises `FreezeError`.

    `generated_at` is the moment in new documents, which have no `Last-Modified` unless `is_dated`.
    `jobs` is the number of processes that render; by default it depends on the number of cores and
    posts. Of the published documents the next release may lack `retired` addresses, and at most
    `max_deleted_percent`.
    """
    target = Target(folder)
    with target.locked(), readable_database(), read_transaction(), worker_pool(jobs) as pool:
        context = read_context(at)
        site = replace(read_site(context, generated_at), is_dated=is_dated)
        gates = gates_of(context, retired, max_deleted_percent)
        return freeze(target, site, pool, gates, options)


@contextmanager
def readable_database() -> Iterator[None]:
    """Turn errors of the database, and the loss of a worker, into a `FreezeError`."""
    try:
        yield
    except DatabaseError as error:
        raise unreadable(error) from error
    except NotRendered as error:
        if isinstance(error.__cause__, DatabaseError):
            raise unreadable(error.__cause__) from error
        raise
    except BrokenExecutor as error:
        raise FreezeError(
            "A worker ended unexpectedly; is there enough memory? --jobs 1 renders in one process."
        ) from error


def unreadable(error: DatabaseError) -> FreezeError:
    reason = str(error).partition("\n")[0]
    return FreezeError(f"The content cannot be read: {reason}. Is the database migrated?")


def read_context(at: datetime) -> Context:
    """Return the context of a moment with everything that a freeze needs beside rows."""
    site = Addresses(settings.SITE_ROOT)
    return replace(
        context_at(site, at),
        lifecycle=lifecycle_headers(site, questions.versions(at)),
        transport=transport_headers(site),
        next_due=questions.next_due(at),
    )


def read_site(context: Context, generated_at: datetime) -> SiteContent:
    """Read what is published; most rows are read when the batches are taken, which is once."""
    refuse_foreign_content(context)
    return SiteContent(
        root=context.site.root,
        generated_at=generated_at,
        # Not a sequence: workers build the first batches while the digests of others are computed.
        batches=site_batches(table.FAMILIES, context),
        lists=tuple(list_batches(table.FAMILIES, context)),
        redirects=tuple(
            redirect_of_move(context, *move) for move in table.former_addresses(context)
        ),
        errors=tuple(error_responses(context)),
        next_due=context.next_due,
        inputs=up_to_date.inputs_of(context),
        content=orjson.dumps(published_content(context.at)),
    )


def refuse_foreign_content(context: Context) -> None:
    """Raise an error for an empty catalogue, or for one of another version of the API."""
    if not questions.studio(context.at).exists():
        raise FreezeError(
            "There is no studio to publish. Is the database the right one? "
            "In a new one, begin as docs/start.md describes."
        )
    version = served_version(questions.versions(context.at))
    api_version = version.api_version if version else "no version"
    if api_version != API_VERSION:
        raise FreezeError(
            f"{addresses.api_address('/versions')} says that {VERSION} is at {api_version}, and "
            f"this program serves {API_VERSION}. Correct the row in the admin, or run the program "
            "that it describes."
        )


def gates_of(context: Context, retired: Collection[str], max_deleted_percent: int) -> SiteGates:
    examiner = Examiner(orjson.dumps(openapi_description(context.at)), settings.SITE_ROOT)
    other_versions = questions.versions(context.at).exclude(version=VERSION)
    return SiteGates(
        examiner,
        retired=retired,
        is_withdrawn=Withdrawals(context).include,
        elsewhere=[addresses.version_index(each.version) for each in other_versions],
        max_deleted_percent=max_deleted_percent,
    )


def redirect_of_move(context: Context, former: str, today: str) -> Redirect:
    location = context.site.url(today)
    lifecycle = dict(context.lifecycle) if former.startswith(addresses.API) else {}
    return Redirect(
        address=former,
        location=location,
        status=int(HTTPStatus.PERMANENT_REDIRECT),
        headers=REDIRECT_HEADERS
        | lifecycle
        | {"Location": location, "Content-Length": "0"}
        | dict(context.transport),
    )


def error_responses(context: Context) -> Iterator[ErrorResponse]:
    """Yield the error responses that hosts send."""
    transport = dict(context.transport)
    for status in API_ERROR_STATUSES:
        announced = dict(context.lifecycle) if status < HTTPStatus.INTERNAL_SERVER_ERROR else {}
        headers = error_headers(status) | announced | transport
        body = problem_body(context.site, status)
        yield ErrorResponse("/api/", int(status), PROBLEM_JSON, headers, body)
    for status in API_ERROR_STATUSES:
        if status is HTTPStatus.TOO_MANY_REQUESTS:  # Only the API has a budget.
            continue
        for scope, language in parts_of_site(context, status):
            headers = error_headers(status) | {"Content-Language": language} | transport
            body = refusal_body(context.site, status, language)
            yield ErrorResponse(scope, int(status), MARKDOWN_TYPE, headers, body)


def parts_of_site(context: Context, status: HTTPStatus) -> Iterator[tuple[str, str]]:
    """Yield the parts of the site that have an error of their own, each with its language."""
    yield "/", ENGLISH
    if status in VIETNAMESE_STATUSES and has_vietnamese_refusals(context):
        yield addresses.VIETNAMESE_PART, VIETNAMESE
