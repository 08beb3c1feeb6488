"""The documents of a release that is staged: where their bytes are, until it is published."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from site_mirror.documents import file_of
from site_mirror.snapshot import files
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.portions import Range


def lines(candidate: Candidate) -> Iterator[dict[str, Any]]:
    """What the manifest tells of each document."""
    return map(orjson.loads, candidate.manifest.documents.raw())


def some_lines(candidate: Candidate, ranges: Iterable[Range]) -> Iterator[dict[str, Any]]:
    """The same of documents whose lines lie there, counted from the first."""
    documents = candidate.manifest.documents
    for start, length in ranges:
        yield from map(orjson.loads, documents.part(start, length))


def body(candidate: Candidate, file: str) -> bytes | None:
    """A file that was written, or one that will be linked from the release before."""
    for release in (candidate.place.folder, candidate.place.published):
        if release:
            with suppress(OSError):
                return files.body(release, f"{PUBLIC}/{file}")
    return None


def at(media_type: str, candidate: Candidate, address: str) -> bytes | None:
    return body(candidate, file_of(address, media_type))


page = partial(at, "text/html")
mirror = partial(at, "text/markdown")
document = partial(at, "application/json")


def is_written(candidate: Candidate, address: str) -> bool:
    """Whether a page has other bytes than in the release before."""
    file = Path(PUBLIC) / file_of(address, "text/html")
    here, before = candidate.place.folder / file, candidate.place.published
    if before is None or not here.is_file():
        return here.is_file()
    with suppress(OSError):
        return files.body(before, str(file)) != here.read_bytes()
    return True


def error(candidate: Candidate, file: str) -> bytes:
    return (candidate.place.folder / ERRORS / file).read_bytes()
