"""Documents and reads for the engine alone, without a database."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.snapshot.batches import Given, Made
from site_mirror.snapshot.beginning import begun
from site_mirror.snapshot.engine import Published, Report, freeze
from site_mirror.snapshot.manifest import Redirect
from site_mirror.snapshot.staging import Refusal
from site_mirror.snapshot.target import Target

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


LONG = b"A sentence that is said again and again. " * 50
FIRST = (document("/", LONG), document("/kept"), document("/edited"), document("/removed"))
SECOND = (document("/", LONG), document("/kept"), document("/edited", LONG), document("/new/one"))
MOVED = Redirect("/old", "https://studio.example/kept", 308, {"Cache-Control": "max-age=1"})
REFUSED = Refusal("/", 404, "text/markdown", {"Cache-Control": "no-store"}, b"# Not found")


def published(target: Path, *documents: Document, **options: Any) -> Report:
    """A freeze of documents, with one redirect and one error."""
    told = {"redirects": options.pop("redirects", (MOVED,)), "known": options.pop("known", False)}
    return freeze(
        Target(target),
        reading(*documents, **told),
        moment=options.pop("moment", LATER),
        check=options.pop("check", lambda document, stamp: None),
        progress=unseen,
        **options,
    )


def published_ahead(target: Path, *documents: Document, **options: Any) -> Report:
    """The same of documents that tell what they are made of; what is published is linked ahead."""
    with begun(Target(target), ahead=True) as beginning:
        return published(target, *documents, known=True, beginning=beginning, **options)


def two_releases(target: Path, **options: Any) -> tuple[str, str]:
    """A target with two releases; returns their ids, the current one last."""
    first = published(target, *FIRST, moment=MOMENT, **options)
    return first.release, published(target, *SECOND, **options).release


def reading(
    *documents: Document, redirects: tuple[Redirect, ...] = (MOVED,), known: bool = False
) -> Callable[[], AbstractContextManager[Published]]:
    @contextmanager
    def read() -> Iterator[Published]:
        batches = [made(document) if known else Made([Given(document)]) for document in documents]
        yield Published("https://studio.example", batches, redirects, (REFUSED,))

    return read


def made(document: Document) -> Made:
    """A batch that tells what it is made of."""
    inputs = digest(document.address.encode() + document.body())
    return Made([Given(document, inputs)], inputs=inputs)


def unseen(documents: int) -> None:
    """Progress that nobody watches."""
