"""Whether a folder holds what a manifest tells: every byte, nothing missing, nothing extra."""

from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot import checksums, manifest, signing, trees
from site_mirror.snapshot.errors import ManifestDamaged, NoRelease, ReleaseDamaged
from site_mirror.snapshot.files import body
from site_mirror.snapshot.layout import CHECKSUMS, ERRORS, MANIFEST, PARTS, PUBLIC, SIGNATURE
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.releases import ID


class Finding(Struct, frozen=True):
    """Something that is not as it was published: a file or an address, and what is wrong."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} {self.what}"


class Subject(Struct, frozen=True):
    """What is verified, and by which manifest: a release, or a public tree alone."""

    manifest: Path
    public: Path
    release: Path | None


def subject(folder: Path, by: Path | None = None) -> Subject:
    """A target's current release, a release or, with a manifest, a copy of a public tree.

    Raises `NoRelease`.
    """
    for release in (folder / "current", folder):
        if (release / PUBLIC).is_dir() or (release / MANIFEST).is_file():
            home = release.resolve()
            return Subject(by or home / MANIFEST, home / PUBLIC, home)
    if by is None or not folder.is_dir():
        raise NoRelease(folder)
    return Subject(by, folder, None)


def manifest_of(place: Path) -> Path:
    """A manifest by its own name, or by that of its release or target."""
    return subject(place).manifest if place.is_dir() else place


def findings(found: Subject, public_key: str = "") -> Iterator[Finding]:
    """Everything that is wrong; nothing at all where all is as it was published."""
    told = manifest.read(found.manifest)
    if told is None:
        yield Finding(found.manifest.name, "is missing, or is not a whole manifest")
        return
    try:
        if public_key:
            yield from of_signature(found.manifest, public_key)
        yield from of_files(found, told)
        if found.release and found.manifest.parent == found.release:
            yield from of_release(found.release, told)
    except (ManifestDamaged, ReleaseDamaged) as error:
        yield Finding(found.manifest.name, f"cannot be followed: {error}")


def of_signature(path: Path, public_key: str) -> Iterator[Finding]:
    """The signature beside a manifest."""
    try:
        signature = body(path.parent, SIGNATURE)
    except OSError:
        yield Finding(SIGNATURE, "is missing: the manifest is not signed")
        return
    if not signing.is_signed(public_key, checksum(path), signature):
        yield Finding(SIGNATURE, "is not the signature of this manifest by this key")


def of_files(found: Subject, told: Manifest) -> Iterator[Finding]:
    def in_public() -> Iterator[tuple[str, str]]:
        for entry in told.documents:
            yield from entry.digests.items()

    def in_errors() -> Iterator[tuple[str, str]]:
        return ((error.file, error.sha256) for error in told.errors)

    root, part = (found.release, PUBLIC) if found.release else (found.public, "")
    for file, fault in trees.faults(root, part, in_public):
        yield Finding(f"{PUBLIC}/{file}", fault)
    if found.release:
        for file, fault in trees.faults(found.release, ERRORS, in_errors):
            yield Finding(f"{ERRORS}/{file}", fault)


def of_release(release: Path, told: Manifest) -> Iterator[Finding]:
    """What lies beside the public tree, and whether it fits the manifest."""
    yield from of_checksums(release, told)
    named = ID.fullmatch(release.name)
    if named and not checksum(told.path).startswith(named[2]):
        yield Finding(MANIFEST, f"is not the one that release {release.name} is named after")
    for path in sorted(release.iterdir()):
        if path.name not in PARTS:
            yield Finding(path.name, "is no part of a release")
        elif path.is_symlink():
            yield Finding(path.name, "is a link, and no part of its own")


def of_checksums(release: Path, told: Manifest) -> Iterator[Finding]:
    if checksum(release / CHECKSUMS) == "":
        yield Finding(CHECKSUMS, "is missing")
        return
    for listed, promised in zip_longest(checksums.listed(release), expected(told)):
        if listed != promised:
            file = (promised or listed or ("",))[0]
            yield Finding(CHECKSUMS, f"does not say of {file} what the manifest does")
            return


def expected(told: Manifest) -> Iterator[tuple[str, str]]:
    """The checksums that a manifest stands for, in their order."""
    public = (
        (f"{PUBLIC}/{file}", sha256)
        for entry in told.documents
        for file, sha256 in entry.digests.items()
    )
    errors = ((f"{ERRORS}/{error.file}", error.sha256) for error in told.errors)
    return chain(public, errors, [(MANIFEST, checksum(told.path))])


def checksum(path: Path) -> str:
    return checksums.sha256_of(path) or ""
