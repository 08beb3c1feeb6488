"""A release as one file to download: the same release makes the same bytes."""

import gzip
import hashlib
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from site_mirror.snapshot import checksums, trees
from site_mirror.snapshot.errors import ReleaseDamaged, UnusableArchive
from site_mirror.snapshot.files import reading
from site_mirror.snapshot.layout import CHECKSUMS, SIGNATURE
from site_mirror.snapshot.releases import moment_of

MODE = 0o644
LEVEL = 6
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write_archive(release: Path, file: Path) -> int:
    """Write a release's files with their checksums; returns the archive's size in bytes.

    They are sorted, belong to nobody, and are of the release's moment. What is written is read
    once, so that an altered file is noticed on the way. Raises `FreezeError`.
    """
    if release in (file.resolve(), *file.resolve().parents):
        raise UnusableArchive(file, "it would become a part of the release")
    moment = int((moment_of(release.name) or EPOCH).timestamp())
    try:
        with written(file) as whole, compressed(whole) as stream, packed(stream) as archive:
            for name, sha256 in members(release):
                add(archive, release, name, moment, sha256)
        return file.stat().st_size
    except OSError as error:
        raise UnusableArchive(file, error.strerror or str(error)) from error


def members(release: Path) -> Iterator[tuple[str, str | None]]:
    """The files that checksums are told of, in order, with the checksum; then the lists."""
    try:
        yield from sorted(checksums.listed(release))
    except OSError as error:
        raise ReleaseDamaged(release.name, f"{CHECKSUMS} is missing") from error
    yield CHECKSUMS, None
    if os.path.lexists(release / SIGNATURE):
        yield SIGNATURE, None


def add(
    archive: tarfile.TarFile, release: Path, name: str, moment: int, sha256: str | None
) -> None:
    try:
        file = reading(release, name)
    except OSError as error:
        raise ReleaseDamaged(release.name, f"{name} {trees.reason(error)}") from error
    with file:
        if sha256 and hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise ReleaseDamaged(release.name, f"{name} has other bytes than were published")
        file.seek(0)
        told = tarfile.TarInfo(f"{release.name}/{name}")
        told.size, told.mtime, told.mode = os.fstat(file.fileno()).st_size, moment, MODE
        archive.addfile(told, file)


@contextmanager
def written(file: Path) -> Iterator[IO[bytes]]:
    """A file that appears when it is whole, and not at all if that fails."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with partial.open("wb") as whole:
            yield whole
            whole.flush()
            os.fsync(whole.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def packed(stream: gzip.GzipFile) -> tarfile.TarFile:
    return tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT)


def compressed(whole: IO[bytes]) -> gzip.GzipFile:
    """Gzip without a time stamp or a file name."""
    return gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=whole, mtime=0)
