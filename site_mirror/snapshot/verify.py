"""Compare the files of a release, or of a copy of its public tree, with the manifest."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot import file_trees, manifest
from site_mirror.snapshot.checksums import NAME_OFFSET, format_checksums, sha256_of
from site_mirror.snapshot.errors import ManifestDamaged, NoRelease
from site_mirror.snapshot.files import PUBLIC_FILE_MODE, open_regular_file
from site_mirror.snapshot.layout import (
    CHECKSUMS,
    ERRORS,
    MANIFEST,
    PUBLIC,
    RELEASE_PARTS,
    SIGNATURE_SUFFIXES,
)
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.releases import RELEASE_ID


class Discrepancy(Struct, frozen=True):
    """A file or an address that is not as it was published, and its fault."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} {self.what}"


class VerifiedFiles(Struct, frozen=True):
    """The files to verify, and their manifest; `release` is `None` for a copy of a public tree."""

    manifest: Path
    public: Path
    release: Path | None


def find_files_to_verify(folder: Path, by: Path | None = None) -> VerifiedFiles:
    """Find the current release of a target, a release or, with a manifest, a public tree.

    Raises `NoRelease`.
    """
    for release in (folder / "current", folder):
        if (release / PUBLIC).is_dir() or (release / MANIFEST).is_file():
            home = release.resolve()
            return VerifiedFiles(by or home / MANIFEST, home / PUBLIC, home)
    if by is None or not folder.is_dir():
        raise NoRelease(folder)
    return VerifiedFiles(by, folder, None)


def manifest_path(path: Path) -> Path:
    """Return the path of a manifest, of a release's manifest or of that of a target's release."""
    return find_files_to_verify(path).manifest if path.is_dir() else path


def find_discrepancies(files: VerifiedFiles) -> Iterator[Discrepancy]:
    """Yield the discrepancies between files and their manifest; none if nothing has changed."""
    contents = manifest.read_manifest(files.manifest)
    if contents is None:
        yield Discrepancy(files.manifest.name, "is missing, or is not a whole manifest")
        return
    try:
        yield from file_discrepancies(files, contents)
        # With another manifest the checksums beside it would be compared with a foreign list.
        if files.release and files.manifest.parent == files.release:
            yield from release_discrepancies(files.release, contents)
    except ManifestDamaged as error:
        yield Discrepancy(files.manifest.name, f"cannot be followed: {error}")


def file_discrepancies(files: VerifiedFiles, contents: Manifest) -> Iterator[Discrepancy]:
    if files.release is None:
        for file, fault in file_trees.file_faults(files.public, "", contents.public_files()):
            yield Discrepancy(f"{PUBLIC}/{file}", fault)
        return
    for part, expected in ((PUBLIC, contents.public_files()), (ERRORS, contents.error_files())):
        faults = file_trees.file_faults(files.release, part, expected, PUBLIC_FILE_MODE)
        yield from (Discrepancy(f"{part}/{file}", fault) for file, fault in faults)


def release_discrepancies(release: Path, contents: Manifest) -> Iterator[Discrepancy]:
    """Check the name of a release, its checksums and its other files."""
    yield from checksum_discrepancies(release, contents)
    # A change of manifest and checksums together does not fit the name of the release.
    match = RELEASE_ID.fullmatch(release.name)
    if match and not (sha256_of(contents.path) or "").startswith(match[2]):
        yield Discrepancy(MANIFEST, f"is not the one that release {release.name} is named after")
    for path in sorted(release.iterdir()):
        if path.name not in RELEASE_PARTS and path.suffix not in SIGNATURE_SUFFIXES:
            yield Discrepancy(path.name, "is not part of a release")
        elif path.is_symlink():
            yield Discrepancy(path.name, "is a symbolic link, not a file or folder")


def checksum_discrepancies(release: Path, contents: Manifest) -> Iterator[Discrepancy]:
    try:
        with open_regular_file(release, CHECKSUMS) as listed:
            pairs = zip_longest(listed, format_expected_checksums(contents), fillvalue=b"")
            for line, expected in pairs:
                if line != expected:
                    file = (expected or line).decode(errors="replace").strip()[NAME_OFFSET:]
                    yield Discrepancy(CHECKSUMS, f"does not agree with the manifest about {file}")
                    return
    except OSError:
        yield Discrepancy(CHECKSUMS, "is missing")


def format_expected_checksums(contents: Manifest) -> Iterator[bytes]:
    for file, sha256 in contents.public_files():
        yield format_checksums({f"{PUBLIC}/{file}": sha256})
    for file, sha256 in contents.error_files():
        yield format_checksums({f"{ERRORS}/{file}": sha256})
    yield format_checksums({MANIFEST: sha256_of(contents.path) or ""})
