"""What a freeze after a large release begins with, while Django is being set up."""

from collections.abc import Sequence
from pathlib import Path

from site_mirror.cores import by_cores
from site_mirror.snapshot.layout import CHECKSUMS

LARGE = 1_000_000
"""Bytes of checksums: those of some 10,000 files."""


def begin(words: Sequence[str]) -> None:
    """Look at what is published, if these are the words of a command that may link it."""
    if len(words) < len(("manage.py", "freeze", "TARGET")) or words[1] != "freeze":
        return
    published = Path(words[2]) / "current"
    if is_large(published) and by_cores() > 1 and not chosen("--jobs", words):
        from site_mirror.snapshot.ahead import look  # noqa: PLC0415  (is long)
        from site_mirror.snapshot.target import Target  # noqa: PLC0415

        look(published.resolve(), Target(Path(words[2])).windows)


def is_large(release: Path) -> bool:
    try:
        return (release / CHECKSUMS).stat().st_size > LARGE
    except OSError:
        return False


def chosen(option: str, words: Sequence[str]) -> bool:
    return any(word.startswith(option) for word in words)
