"""A freeze reads one state of the database: it has a concurrent edit completely or not at all."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.db.backends.sqlite3._functions import register
from django.utils import timezone

from catalogue.read_transactions import read_transaction
from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.freeze.site import read_context, read_site
from site_mirror.snapshot.freeze import SiteContent
from tests import factories
from tests.freeze import processes, sites

Edit = Callable[[], None]
COMMITTED = pytest.mark.django_db(transaction=True)
EVERYTHING = (
    "UPDATE catalogue_app SET name = 'A later name'",
    "UPDATE catalogue_post SET title_en = 'A later title', slug = 'after'",
    "UPDATE catalogue_studio SET name = 'A later name'",
    (
        "UPDATE catalogue_apiversion SET status = 'deprecated', announced = CURRENT_TIMESTAMP, "
        "deprecation = '2026-02-01 00:00:00', sunset = '2099-12-31 00:00:00'"
    ),
)


@pytest.fixture
def file_connection(empty_database: Path, tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    """The connection of this process, to a database file in WAL mode as in production."""
    database = processes.copy_database(empty_database, tmp_path)
    usual = connections["default"]
    connections["default"] = usual.copy()
    connections["default"].settings_dict = {**usual.settings_dict, "NAME": str(database)}
    with django_db_blocker.unblock():
        yield database
        connections["default"].close()
    connections["default"] = usual


@pytest.fixture
def second_connection(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A second connection, which commits its changes."""
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
def edit(second_connection: Any) -> Edit:
    """A function that commits a change of every model from the second connection."""
    factories.make_studio(name="An earlier name")
    factories.make_app(name="An earlier name")
    factories.make_post(slug="before", title_en="An earlier name")
    factories.make_version()

    def commit() -> None:
        for statement in EVERYTHING:
            second_connection.execute(statement)
        second_connection.commit()

    return commit


def read_documents(edit: Edit | None = None, family: str = "") -> list[Document]:
    """Return the documents of a freeze; an edit is committed at the first document of a family."""
    documents = []
    now = timezone.now()
    with read_transaction():
        site = read_site(read_context(now), now)
        for document in render_documents(site):
            documents.append(document)
            if document.family == family and edit is not None:
                edit()
                edit = None
        documents += [Document("redirect", r.address, "", {}, b"") for r in site.redirects]
    if edit is not None and family:
        raise AssertionError(f"No document of {family} was read.")
    return documents


def render_documents(site: SiteContent) -> Iterator[Document]:
    """Yield every document; lists have no items, because no batch is built."""
    built = Built(Path(), Path(), {}, {})
    for batch in (*site.batches, *site.lists):
        loaded = batch.load()
        planned = loaded.plan(built)
        yield from map(loaded.renderer(planned, built), planned)


def summarize(documents: list[Document]) -> list[tuple[str, bytes, str]]:
    return [
        (document.address, document.body(), document.headers.get("Sunset", ""))
        for document in documents
    ]


@pytest.mark.postgresql
@COMMITTED
@pytest.mark.parametrize("family", ["getApiIndex", "listApps", "getPost", "openapi", "post-en"])
def test_an_edit_committed_while_a_freeze_reads_is_left_out_completely(
    family: str, edit: Edit
) -> None:
    untouched = summarize(read_documents())

    assert summarize(read_documents(edit, family)) == untouched


@pytest.mark.postgresql
@COMMITTED
def test_the_next_freeze_has_the_complete_edit(edit: Edit) -> None:
    read_documents(edit, "listApps")

    documents = read_documents()

    bodies = b"".join(document.body() for document in documents if document.family != "redirect")
    assert b"An earlier" not in bodies
    assert {"/blog/after", "/blog/before"} <= {document.address for document in documents}
    assert all(
        "Sunset" in document.headers
        for document in documents
        if document.address.startswith("/api/") and document.family != "redirect"
    )


@pytest.mark.postgresql
@COMMITTED
def test_a_freeze_does_not_read_an_uncommitted_edit(edit: Edit, second_connection: Any) -> None:
    second_connection.execute(EVERYTHING[0])

    bodies = b"".join(document.body() for document in read_documents())
    second_connection.rollback()

    assert b"A later" not in bodies


@pytest.mark.django_db
def test_documents_have_the_content_of_the_requested_moment() -> None:
    at = timezone.now() - timedelta(hours=2)
    sites.make_site()
    factories.make_app(slug="due-since", publish_at=at + timedelta(hours=1))

    with read_transaction():
        site = read_site(read_context(at), at)
        found = {each.address for each in render_documents(site) if b"due-since" in each.body()}

    assert found == set()
