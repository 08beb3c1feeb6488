"""May a file of the published release stay in the next one? All answers are here.

Files that stay are hard-linked, so a damaged one would be served by every later release. A file
stays if it is a regular file with the public mode and with the inode, the size and the date that
were recorded, or else if its bytes have the checksum of the manifest. A symbolic link is not
followed, because it may lead out of the release.

The date is that of the last modification. A hard link does not change it, so what is recorded once
holds in each release that has the file. The change time (`ctime`) would also show a write that sets
the date back, but every freeze and every removed release changes it.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from site_mirror.snapshot import file_trees
from site_mirror.snapshot.checksums import sha256_of
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import PUBLIC_FILE_MODE, group_by_folder, open_folder
from site_mirror.snapshot.layout import (
    ANCHORS,
    CHECKSUMS,
    ERRORS,
    MANIFEST,
    PUBLIC,
    REPORT,
)
from site_mirror.snapshot.manifest import Manifest

PUBLIC_FILE_TYPE_AND_MODE = stat.S_IFREG | PUBLIC_FILE_MODE
METADATA_DIGEST_BYTES = 8
MAX_WATCHED_FILES = 10_000
"""Files up to which a freeze that would change nothing looks at each, in some 20 ms. Of more
files it looks at the folders, which show a new, renamed or removed name."""


def digest_metadata(release: Path, files: Iterable[str]) -> str:
    """Return a digest of the inodes, sizes and dates of public files.

    It is empty if one of them is not a regular file of the public mode.
    """
    digest = hashlib.blake2b(digest_size=METADATA_DIGEST_BYTES)
    try:
        for folder, names in group_by_folder(files).items():
            with open_folder(release, PUBLIC + folder) as descriptor:
                for name in names:
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                    if status.st_mode != PUBLIC_FILE_TYPE_AND_MODE:
                        return ""
                    digest.update(describe_metadata(status))
    except OSError:
        return ""
    return digest.hexdigest()


def digest_private_metadata(release: Path) -> str:
    """Return a digest of the metadata of the files that a freeze reads instead of content."""
    digest = hashlib.blake2b(digest_size=METADATA_DIGEST_BYTES)
    for name in (MANIFEST, CHECKSUMS, REPORT, ANCHORS):
        # A missing file gives another digest, too.
        with suppress(OSError):
            digest.update(name.encode() + describe_metadata(os.lstat(f"{release}/{name}")))
    return digest.hexdigest()


def digest_tree_metadata(release: Path, files: int) -> str:
    """Return a digest of the metadata of what is served: folders and, if not too many, files."""
    digest = hashlib.blake2b(digest_size=METADATA_DIGEST_BYTES)
    # `fwalk` follows no symbolic link, and names relative to a descriptor are resolved faster.
    with open_folder(release) as root:
        for part in (PUBLIC, ERRORS):
            for _, folders, names, descriptor in os.fwalk(part, dir_fd=root):
                folders.sort()
                digest.update(describe_metadata(os.fstat(descriptor)))
                for name in sorted(names) if files <= MAX_WATCHED_FILES else ():
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                    digest.update(describe_metadata(status))
    return digest.hexdigest()


def describe_metadata(status: os.stat_result) -> bytes:
    return b"%d %d %d %d," % (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns)


def damaged_files(release: Path, digests: Mapping[str, str]) -> tuple[str, ...]:
    """Return the public files that are not as they were published, by reading every byte."""
    return tuple(
        file
        for file, sha256 in digests.items()
        if file_trees.file_fault(release, f"{PUBLIC}/{file}", sha256, PUBLIC_FILE_MODE)
    )


def damaged_private_files(
    release: Path, previous: Manifest | None, differing: Iterable[str]
) -> Iterator[str]:
    """Yield the damaged files of a release outside the public tree.

    `differing` are those that differ from the next release.
    """
    with suppress(ManifestDamaged):
        for file, sha256 in previous.error_files() if previous else ():
            if file_trees.file_fault(release, f"{ERRORS}/{file}", sha256, PUBLIC_FILE_MODE):
                yield f"{ERRORS}/{file}"
    if CHECKSUMS in differing and MANIFEST not in differing:
        yield CHECKSUMS


def differing_files(staging: Path, published: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the files outside the public tree that differ from the published ones."""
    names = [MANIFEST, CHECKSUMS, *(f"{ERRORS}/{error.file}" for error in manifest.errors)]
    return (name for name in names if sha256_of(staging / name) != sha256_of(published / name))


def strange_files(release: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the names in `public` and `errors` of a release that its manifest does not have.

    A folder without the public mode is also yielded.
    """
    for part, expected in ((PUBLIC, manifest.public_files()), (ERRORS, manifest.error_files())):
        names = file_trees.walk_names(release, part)
        found = {name for name, mode in names if mode != file_trees.PUBLIC_FOLDER}
        for name in sorted(found - {file for file, _ in expected}):
            yield f"{part}/{name}"
