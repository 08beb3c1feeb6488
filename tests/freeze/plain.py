"""Documents and reads for the engine alone, without a database."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta

from site_mirror.documents import Document
from site_mirror.snapshot.engine import Published

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = MOMENT + timedelta(days=1)


def document(address: str, body: bytes = b"A page.") -> Document:
    return Document(
        family="page",
        address=address,
        media_type="text/html; charset=utf-8",
        headers={"Cache-Control": "max-age=1"},
        content=body,
    )


def reading(*documents: Document) -> Callable[[], AbstractContextManager[Published]]:
    @contextmanager
    def read() -> Iterator[Published]:
        yield Published("https://studio.example", documents, (), ())

    return read


def unseen(document: Document) -> None:
    """Progress that nobody watches."""
