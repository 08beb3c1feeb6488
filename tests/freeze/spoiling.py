"""Ways in which a release is not as it was published, and what is said of each."""

from collections.abc import Callable
from pathlib import Path

from tests.freeze import plain

Damage = Callable[[Path], object]


def replaced(path: Path, body: bytes) -> None:
    """Other bytes, in a file of its own: the old one may be another release's, too."""
    path.unlink()
    path.write_bytes(body)


def linked(path: Path) -> None:
    path.rename(path.with_name("..away"))
    path.symlink_to("..away")


def emptied(path: Path) -> None:
    path.unlink()
    path.mkdir()


def exchanged(path: Path, old: bytes, new: bytes) -> None:
    replaced(path, path.read_bytes().replace(old, new))


def forged(release: Path) -> None:
    """A manifest and checksums that agree with each other, under a name they do not fit."""
    other = plain.published(
        release.parents[2] / "other", *plain.FIRST, plain.document("/extra"), moment=plain.MOMENT
    )
    home = release.parents[2] / "other/releases" / other.release
    replaced(release / "manifest.jsonl", (home / "manifest.jsonl").read_bytes())
    replaced(release / "SHA256SUMS", (home / "SHA256SUMS").read_bytes())
    (release / "public/extra.html").write_bytes((home / "public/extra.html").read_bytes())


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a file is altered": (
        lambda release: replaced(release / "public/edited.html", b"B page."),
        "public/edited.html has other bytes than were published",
    ),
    "a file is cut": (
        lambda release: replaced(release / "public/index.html.br", b""),
        "public/index.html.br has other bytes than were published",
    ),
    "a file is missing": (
        lambda release: (release / "public/removed.html").unlink(),
        "public/removed.html is missing",
    ),
    "a file is a link": (
        lambda release: linked(release / "public/removed.html"),
        "public/removed.html is a link, and no file of its own",
    ),
    "a file is a folder": (
        lambda release: emptied(release / "public/removed.html"),
        "public/removed.html is missing",
    ),
    "a file is extra": (
        lambda release: (release / "public/extra.html").write_bytes(b""),
        "public/extra.html is not in the manifest",
    ),
    "a link is extra": (
        lambda release: (release / "public/extra").symlink_to("/"),
        "public/extra is not in the manifest",
    ),
    "an error is altered": (
        lambda release: replaced(release / "errors/404.md", b"Gone."),
        "errors/404.md has other bytes than were published",
    ),
    "an error is extra": (
        lambda release: (release / "errors/418.md").write_bytes(b""),
        "errors/418.md is not in the manifest",
    ),
    "the manifest is missing": (
        lambda release: (release / "manifest.jsonl").unlink(),
        "manifest.jsonl is missing, or is not a whole manifest",
    ),
    "the manifest is cut": (
        lambda release: replaced(
            release / "manifest.jsonl", (release / "manifest.jsonl").read_bytes()[:-50]
        ),
        "manifest.jsonl is missing, or is not a whole manifest",
    ),
    "the manifest has another header": (
        lambda release: exchanged(release / "manifest.jsonl", b"max-age=1", b"max-age=9"),
        "SHA256SUMS does not say of manifest.jsonl what the manifest does",
    ),
    "the manifest has a line that is none": (
        lambda release: exchanged(release / "manifest.jsonl", b'"family"', b'"famous"'),
        "manifest.jsonl cannot be followed",
    ),
    "manifest and checksums fit another name": (
        forged,
        "manifest.jsonl is not the one that release",
    ),
    "the checksums are missing": (
        lambda release: (release / "SHA256SUMS").unlink(),
        "SHA256SUMS is missing",
    ),
    "the checksums are cut": (
        lambda release: replaced(release / "SHA256SUMS", b""),
        "SHA256SUMS does not say of public/index.html what the manifest does",
    ),
    "the checksums are none": (
        lambda release: replaced(release / "SHA256SUMS", b"nothing\n"),
        "SHA256SUMS has the line",
    ),
    "a stranger is beside": (
        lambda release: (release / "notes.txt").write_text("mine"),
        "notes.txt is no part of a release",
    ),
}
