"""A freeze reads one state: an edit committed meanwhile is wholly in or wholly out."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections, transaction
from django.db.backends.sqlite3._functions import register
from django.utils import timezone

from catalogue.models import Post
from site_mirror.documents import Document
from site_mirror.freezing import read
from site_mirror.snapshot.engine import Published
from tests import rows
from tests.freeze import makers, processes

Edit = Callable[[], None]
COMMITTED = pytest.mark.django_db(transaction=True)
EVERYTHING = (
    "UPDATE catalogue_app SET name = 'A later name'",
    "UPDATE catalogue_post SET title_en = 'A later title', slug = 'after'",
    "UPDATE catalogue_studio SET name = 'A later name'",
    (
        "UPDATE catalogue_apiversion SET status = 'deprecated', announced = CURRENT_TIMESTAMP, "
        "deprecation = '2026-02-01 00:00:00', sunset = '2029-12-31 00:00:00'"
    ),
)


@pytest.fixture
def file_connection(empty_database: Path, tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    """The connection of this process, to a file in WAL mode as in production."""
    database = processes.copied(empty_database, tmp_path)
    usual = connections["default"]
    connections["default"] = usual.copy()
    connections["default"].settings_dict = {**usual.settings_dict, "NAME": str(database)}
    with django_db_blocker.unblock():
        yield database
        connections["default"].close()
    connections["default"] = usual


@pytest.fixture
def second(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A second connection to a database whose changes are really committed."""
    if connection.vendor == "sqlite":
        database = request.getfixturevalue("file_connection")
        editor: Any = sqlite3.connect(database, timeout=0)
        register(editor)
    else:
        parameters = connection.get_connection_params()
        names = ("host", "port", "user", "password", "dbname")
        editor = psycopg.connect(**{name: parameters[name] for name in names if name in parameters})
    with closing(editor):
        yield editor


@pytest.fixture
def edit(second: Any) -> Edit:
    """Commits a change of everything from the second connection, which waits for nobody."""
    rows.make_studio(name="An earlier name")
    rows.make_app(name="An earlier name")
    rows.make_post(slug="before", title_en="An earlier name")
    rows.make_version()

    def commit() -> None:
        for statement in EVERYTHING:
            second.execute(statement)
        second.commit()

    return commit


def frozen(edit: Edit | None = None, family: str = "") -> list[Document]:
    """What a freeze reads, with an edit committed when a family begins."""
    documents = []
    with read(timezone.now()) as published:
        for document in made(published):
            documents.append(document)
            if document.family == family and edit is not None:
                edit()
                edit = None
        documents += [Document("redirect", r.address, "", {}, b"") for r in published.redirects]
    if edit is not None and family:
        raise AssertionError(f"No document of {family} was read.")
    return documents


def made(published: Published) -> Iterator[Document]:
    """Lists of documents that are made already have no items here."""
    for batch in published.batches:
        pieces = batch.pieces()
        yield from map(batch.renderer(pieces), pieces)


def seen(documents: list[Document]) -> list[tuple[str, bytes, str]]:
    return [
        (document.address, document.body(), document.headers.get("Sunset", ""))
        for document in documents
    ]


@COMMITTED
@pytest.mark.parametrize("family", ["getApiIndex", "listApps", "getPost", "openapi", "post-en"])
def test_an_edit_committed_while_a_freeze_reads_is_wholly_out(family: str, edit: Edit) -> None:
    untouched = seen(frozen())

    assert seen(frozen(edit, family)) == untouched


@COMMITTED
def test_the_next_freeze_has_all_of_the_edit(edit: Edit) -> None:
    frozen(edit, "listApps")

    documents = frozen()

    bodies = b"".join(document.body() for document in documents if document.family != "redirect")
    assert b"An earlier" not in bodies
    assert {"/blog/after", "/blog/before"} <= {document.address for document in documents}
    assert all(
        "Sunset" in document.headers
        for document in documents
        if document.address.startswith("/api/") and document.family != "redirect"
    )


@COMMITTED
def test_an_edit_committed_before_the_freeze_reads_is_wholly_in(edit: Edit) -> None:
    edit()

    bodies = b"".join(document.body() for document in frozen())

    assert b"An earlier" not in bodies


@COMMITTED
def test_a_freeze_sees_nothing_of_an_edit_that_is_not_committed(edit: Edit, second: Any) -> None:
    second.execute(EVERYTHING[0])

    bodies = b"".join(document.body() for document in frozen())
    second.rollback()

    assert b"A later" not in bodies


@COMMITTED
def test_a_freeze_writes_nothing_to_the_database(edit: Edit) -> None:
    before = list(Post.objects.values())

    frozen()

    assert list(Post.objects.values()) == before


@COMMITTED
def test_after_a_freeze_the_editor_writes_as_before(edit: Edit) -> None:
    frozen()

    with transaction.atomic():
        Post.objects.update(title_en="Another")

    assert Post.objects.get().title_en == "Another"


@pytest.mark.django_db
def test_every_document_is_of_the_moment_that_was_asked_for() -> None:
    at = timezone.now() - timedelta(hours=2)
    makers.make_site()
    rows.make_app(slug="due-since", publish_at=at + timedelta(hours=1))

    with read(at) as published:
        telling = {
            document.address for document in made(published) if b"due-since" in document.body()
        }

    assert telling == set()
