"""The freeze of this site: what the engine reads, checks and publishes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path

import orjson
from django.conf import settings
from django.db import DatabaseError, connection

from api.contract import API_VERSION, PROBLEM_JSON, VERSION
from api.headers import problem_headers, redirect_headers
from api.lifecycle import lifecycle_headers
from api.problems import problem_body
from api.resources import this_version
from catalogue import addresses, installing, questions
from catalogue.addresses import Site
from catalogue.models import Post
from catalogue.reading import one_read
from site_mirror import outlining, registry, repeating
from site_mirror.batches import Digests, batches
from site_mirror.context import Context
from site_mirror.cores import by_cores
from site_mirror.crew import SMALL, crew
from site_mirror.described import described
from site_mirror.framing import context_at
from site_mirror.gates.examining import Examiner
from site_mirror.gates.gates import Gates
from site_mirror.gates.share import SHARE
from site_mirror.gates.vanishing import Retirements
from site_mirror.headers import MARKDOWN, refusal_headers
from site_mirror.listed import Listings
from site_mirror.refusals import refusal_body
from site_mirror.repeating import Made
from site_mirror.shelf import shelf
from site_mirror.snapshot import held
from site_mirror.snapshot.beginning import Beginning
from site_mirror.snapshot.candidate import Progress, Sign
from site_mirror.snapshot.engine import Candidate, Published, freeze
from site_mirror.snapshot.errors import (
    NothingToPublish,
    NotRendered,
    Unreadable,
    WorkerLost,
    WrongVersion,
)
from site_mirror.snapshot.layout import ENTRIES, PUBLIC
from site_mirror.snapshot.manifest import Redirect
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.staging import Refusal
from site_mirror.snapshot.target import Target
from site_mirror.withdrawn import listings, withdrawn

PROBLEMS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.PRECONDITION_FAILED,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)
SITE_REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.PRECONDITION_FAILED,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)


def freeze_site(
    target: Path,
    *,
    at: datetime,
    moment: datetime,
    progress: Progress,
    keep: int | None = None,
    instead: Callable[[Candidate], None] | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    retired: Iterable[str] = (),
    share: int | None = SHARE,
    beginning: Beginning | None = None,
) -> Report:
    """Publish the site as it is at a moment; `moment` is what its documents say of their making.

    `keep` and `instead` are those of the engine, `jobs` how many processes render, by
    default as many as pay; an `executor` of the caller renders instead of them. Of what was
    published, the `retired` addresses may go, and at most `share` of a hundred documents. Whoever
    has a `beginning` ends it. Raises `FreezeError`.
    """
    into = Target(target)
    allowed = Retirements(partial(withdrawn, at), frozenset(retired), listings())
    try:
        held.lines_of(into.release)
        with one_read(), crew(jobs or by_size(), executor) as hands:
            made = repeating.made(at, questions.next_due(at))
            proven = installing.intact(connection)
            outline, digests = (
                outlining.begun(into.release, hands),
                Digests(repeating.digests(into) if proven else {}),
            )
            context = surroundings(at)
            shelf(context)
            context.making.outline = outline()
            examiner = Examiner(orjson.dumps(described(context)), settings.SITE_ROOT)
            return freeze(
                into,
                lambda: read(at, context, digests),
                moment=moment,
                check=examiner,
                gates=Gates(examiner, allowed, share, partial(other_versions, at)),
                progress=progress,
                sign=signed_with(settings.SNAPSHOT_SIGNING_KEY),
                keep=keep,
                instead=instead,
                crew=hands,
                remember=partial(remember, made, context, digests.now if proven else {}),
                beginning=beginning,
            )
    except DatabaseError as error:
        raise Unreadable(reason(error)) from error
    except NotRendered as error:
        if isinstance(error.__cause__, DatabaseError):
            raise Unreadable(reason(error.__cause__)) from error
        raise
    except BrokenExecutor as error:
        raise WorkerLost from error


def signed_with(key: str) -> Sign | None:
    """How manifests are signed; without a key they are not."""
    if not key:
        return None
    from site_mirror.snapshot import signing  # noqa: PLC0415  (cryptography is long to import)

    return partial(signing.sign, key)


def reason(error: DatabaseError) -> str:
    """Its first line."""
    return str(error).partition("\n")[0]


def by_size() -> int:
    """One process a core; one alone for content that is rendered before others have started."""
    return by_cores() if Post.objects.count() > SMALL else 1


@contextmanager
def read(
    at: datetime, context: Context | None = None, digests: Digests | None = None
) -> Iterator[Published]:
    """Everything that is published at a moment, in one transaction."""
    with one_read():
        refuse_what_is_not_ours(at)
        context = context or surroundings(at)
        listings = Listings()
        yield Published(
            site_root=context.site.root,
            batches=batches(registry.FAMILIES, context, listings, digests or Digests()),
            begin=partial(begin, context, listings),
            listed=listings.add,
            redirects=(redirect(context, *move) for move in registry.moves(context)),
            refusals=refusals(context),
            due=questions.next_due(at),
        )


def begin(context: Context, listings: Listings, folder: Path) -> None:
    """Tell what is made of other documents where these are."""
    context.making.public, listings.file = folder / PUBLIC, folder / ENTRIES


def remember(
    made: Made,
    context: Context,
    digests: Mapping[str, str],
    release: Path,
    report: Report,
    folders: Collection[str],
) -> None:
    outlining.remember(context.making.outline or b"", release)
    repeating.remember(made, digests, release, report, folders)


def surroundings(at: datetime) -> Context:
    site = Site(settings.SITE_ROOT)
    return context_at(site, at, lifecycle_headers(site, questions.versions(at)))


def refuse_what_is_not_ours(at: datetime) -> None:
    """An empty catalogue, or one that describes another contract than this program's."""
    if not questions.studio(at).exists():
        raise NothingToPublish
    version = this_version(questions.versions(at))
    found = version.api_version if version else "no version"
    if found != API_VERSION:
        raise WrongVersion(VERSION, found, API_VERSION)


def other_versions(at: datetime) -> list[str]:
    """Indexes of versions of the API that this program does not serve."""
    versions = questions.versions(at).exclude(version=VERSION)
    return [addresses.version_index(each.version) for each in versions]


def redirect(context: Context, former: str, today: str) -> Redirect:
    location = context.site.url(today)
    lifecycle = dict(context.lifecycle) if former.startswith(addresses.API) else {}
    return Redirect(
        address=former,
        location=location,
        status=int(HTTPStatus.PERMANENT_REDIRECT),
        headers=redirect_headers()
        | lifecycle
        | {"Location": location, "Content-Length": "0"}
        | dict(context.transport),
    )


def refusals(context: Context) -> Iterator[Refusal]:
    """The bodies of errors, which a host answers with."""
    secure = dict(context.transport)
    for status in PROBLEMS:
        announced = dict(context.lifecycle) if status < HTTPStatus.INTERNAL_SERVER_ERROR else {}
        headers = problem_headers(status) | announced | secure
        body = problem_body(context.site, status)
        yield Refusal("/api/", int(status), PROBLEM_JSON, headers, body)
    for status in SITE_REFUSALS:
        body = refusal_body(context.site, status)
        yield Refusal("/", int(status), MARKDOWN, refusal_headers(status) | secure, body)
