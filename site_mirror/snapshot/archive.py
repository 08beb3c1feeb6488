"""Pack a release into one reproducible `.tar.gz` file."""

import gzip
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from site_mirror.snapshot import checksums, file_trees
from site_mirror.snapshot.errors import ReleaseDamaged, UnusableArchive
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import CHECKSUMS, SIGNATURE
from site_mirror.snapshot.releases import release_moment

ARCHIVED_FILE_MODE = 0o644
ARCHIVE_GZIP_LEVEL = 6
UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write_archive(release: Path, file: Path) -> int:
    """Write a release's files to an archive and return its size in bytes.

    The members are sorted, have no owner and are dated by the release, so that two archives of a
    release are equal. Each file is compared with its checksum. Raises `FreezeError`.
    """
    if release in (file.resolve(), *file.resolve().parents):
        raise UnusableArchive(file, "it would become a part of the release")
    moment = int((release_moment(release.name) or UNIX_EPOCH).timestamp())
    try:
        with atomic_file(file) as whole, open_gzip(whole) as stream, open_tar(stream) as archive:
            for name, sha256 in archived_files(release):
                add_file(archive, release, name, moment, sha256)
        return file.stat().st_size
    except OSError as error:
        raise UnusableArchive(file, error.strerror or str(error)) from error


def archived_files(release: Path) -> Iterator[tuple[str, str | None]]:
    """Yield each file in `SHA256SUMS`, in order, with its checksum; then the files without one."""
    try:
        yield from sorted(checksums.read_checksums(release))
    except OSError as error:
        raise ReleaseDamaged(release.name, f"{CHECKSUMS} is missing") from error
    yield CHECKSUMS, None
    if os.path.lexists(release / SIGNATURE):
        yield SIGNATURE, None


def add_file(
    archive: tarfile.TarFile, release: Path, name: str, moment: int, sha256: str | None
) -> None:
    try:
        file = open_regular_file(release, name)
    except OSError as error:
        raise ReleaseDamaged(release.name, f"{name} {file_trees.reason_of(error)}") from error
    with file:
        if sha256 and (fault := file_trees.opened_file_fault(file, sha256)):
            raise ReleaseDamaged(release.name, f"{name} {fault}")
        file.seek(0)
        member = tarfile.TarInfo(f"{release.name}/{name}")
        member.size, member.mtime, member.mode = (
            os.fstat(file.fileno()).st_size,
            moment,
            ARCHIVED_FILE_MODE,
        )
        archive.addfile(member, file)


@contextmanager
def atomic_file(file: Path) -> Iterator[IO[bytes]]:
    """Open a new file that gets its name when the block ends without an error."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with partial.open("wb") as whole:
            yield whole
            whole.flush()
            os.fsync(whole.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def open_tar(stream: gzip.GzipFile) -> tarfile.TarFile:
    return tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT)


def open_gzip(whole: IO[bytes]) -> gzip.GzipFile:
    """Open a gzip stream without a time stamp or a file name, for reproducible bytes."""
    return gzip.GzipFile(
        filename="", mode="wb", compresslevel=ARCHIVE_GZIP_LEVEL, fileobj=whole, mtime=0
    )
