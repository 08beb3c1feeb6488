"""Read documents of a staged release, whose files may still be in the published one."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from site_mirror.documents.built import Range
from site_mirror.documents.family import file_of
from site_mirror.snapshot import files
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.layout import ERRORS, PUBLIC


def read_document_lines(candidate: Candidate) -> Iterator[dict[str, Any]]:
    """Read the lines of all documents in the manifest."""
    return map(orjson.loads, candidate.manifest.documents.raw_lines())


def read_document_lines_in(
    candidate: Candidate, ranges: Iterable[Range]
) -> Iterator[dict[str, Any]]:
    """Read the lines of documents in some ranges, counted from the first line."""
    documents = candidate.manifest.documents
    for start, length in ranges:
        yield from map(orjson.loads, documents.lines_at(start, length))


def read_document_file(candidate: Candidate, file: str) -> bytes | None:
    """Read a file that was written, or one that will be linked from the published release."""
    for release in (candidate.workspace.staging, candidate.workspace.published):
        if release:
            with suppress(OSError):
                return files.read_file(release, f"{PUBLIC}/{file}")
    return None


def read_document(media_type: str, candidate: Candidate, address: str) -> bytes | None:
    return read_document_file(candidate, file_of(address, media_type))


read_page = partial(read_document, "text/html")
read_mirror = partial(read_document, "text/markdown")
read_api_document = partial(read_document, "application/json")


def is_page_changed(candidate: Candidate, address: str) -> bool:
    """Whether a page has other bytes than in the published release."""
    file = Path(PUBLIC) / file_of(address, "text/html")
    staged, published = candidate.workspace.staging / file, candidate.workspace.published
    if published is None or not staged.is_file():
        return staged.is_file()
    with suppress(OSError):
        return files.read_file(published, str(file)) != staged.read_bytes()
    return True


def read_error_body(candidate: Candidate, file: str) -> bytes:
    return (candidate.workspace.staging / ERRORS / file).read_bytes()
