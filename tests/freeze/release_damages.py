"""Ways to damage a release, each with the finding that reports it."""

from collections.abc import Callable
from pathlib import Path

from tests.freeze import engine, file_damages

Damage = Callable[[Path], object]


def replace_bytes(path: Path, body: bytes) -> None:
    """Write a new file: the old one may be hard-linked into another release."""
    path.unlink()
    path.write_bytes(body)


def substitute(path: Path, old: bytes, new: bytes) -> None:
    replace_bytes(path, path.read_bytes().replace(old, new))


def forge_manifest(release: Path) -> None:
    """Replace manifest and checksums by those of another release, which agree with each other."""
    other = engine.publish(
        release.parents[2] / "other",
        *engine.FIRST,
        engine.make_document("/extra"),
        moment=engine.MOMENT,
    )
    home = release.parents[2] / "other/releases" / other.release
    replace_bytes(release / "manifest.jsonl", (home / "manifest.jsonl").read_bytes())
    replace_bytes(release / "SHA256SUMS", (home / "SHA256SUMS").read_bytes())
    (release / "public/extra.html").write_bytes((home / "public/extra.html").read_bytes())


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a file is altered": (
        lambda release: replace_bytes(release / "public/edited.html", b"B page."),
        "public/edited.html has other bytes than were published",
    ),
    "a file is cut": (
        lambda release: replace_bytes(release / "public/index.html.br", b""),
        "public/index.html.br has other bytes than were published",
    ),
    "a file is missing": (
        lambda release: (release / "public/removed.html").unlink(),
        "public/removed.html is missing",
    ),
    "a file is a link": (
        lambda release: file_damages.replace_by_symlink(release / "public/removed.html"),
        "public/removed.html is a symbolic link, not a file",
    ),
    "a file is a folder": (
        lambda release: file_damages.replace_by_folder(release / "public/removed.html"),
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
        lambda release: replace_bytes(release / "errors/404.md", b"Gone."),
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
        lambda release: replace_bytes(
            release / "manifest.jsonl", (release / "manifest.jsonl").read_bytes()[:-50]
        ),
        "manifest.jsonl is missing, or is not a whole manifest",
    ),
    "the manifest has another header": (
        lambda release: substitute(release / "manifest.jsonl", b"max-age=1", b"max-age=9"),
        "SHA256SUMS does not agree with the manifest about manifest.jsonl",
    ),
    "the manifest has an unknown line": (
        lambda release: substitute(release / "manifest.jsonl", b'"family"', b'"famous"'),
        "manifest.jsonl cannot be followed",
    ),
    "manifest and checksums fit another name": (
        forge_manifest,
        "manifest.jsonl is not the one that release",
    ),
    "the checksums are missing": (
        lambda release: (release / "SHA256SUMS").unlink(),
        "SHA256SUMS is missing",
    ),
    "the checksums are cut": (
        lambda release: replace_bytes(release / "SHA256SUMS", b""),
        "SHA256SUMS does not agree with the manifest about public/index.html",
    ),
    "the checksums are another text": (
        lambda release: replace_bytes(release / "SHA256SUMS", b"nothing\n"),
        "SHA256SUMS has the line",
    ),
    "a foreign file is beside the manifest": (
        lambda release: (release / "notes.txt").write_text("mine"),
        "notes.txt is not part of a release",
    ),
}
