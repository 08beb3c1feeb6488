"""Write a manifest from the top to the bottom, one line at a time."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from site_mirror.snapshot.files import private
from site_mirror.snapshot.lines import Headers, Line, encoded
from site_mirror.snapshot.manifest import FORMAT

SECTIONS = ("documents", "redirects", "errors")


class Writer(Struct):
    """The manifest of a release in the making: documents first, then redirects, then errors."""

    file: BinaryIO
    starts: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    profiles: dict[str, Headers] = field(default_factory=dict)
    files: int = 0
    size: int = 0
    written: int = 0
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def write(self, text: bytes) -> None:
        self.file.write(text)
        self.digest.update(text)
        self.written += len(text)

    def begin(self, section: str) -> None:
        self.starts[section] = self.written
        self.counts[section] = 0

    def add(self, section: str, line: Line) -> None:
        self.write(line.text)
        self.counts[section] += 1
        self.profiles[line.profile.name] = line.profile.headers

    def extend(
        self, section: str, lines: bytes, count: int, profiles: Mapping[str, Headers]
    ) -> None:
        """Several lines that are there already, and the profiles that they name."""
        self.write(lines)
        self.counts[section] += count
        self.profiles.update(profiles)

    def end(self) -> None:
        sections = {
            name: {"start": self.starts[name], "count": self.counts[name]} for name in SECTIONS
        }
        contents = {
            "contents": sections,
            "files": self.files,
            "bytes": self.size,
            "profiles": dict(sorted(self.profiles.items())),
        }
        self.write(encoded(contents))

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()


@contextmanager
def writing(path: Path, site_root: str, api_version: str) -> Iterator[Writer]:
    """A manifest that is whole when this ends without an error."""
    with private(path) as file:
        writer = Writer(file)
        head = {"format": FORMAT, "siteRoot": site_root, "apiVersion": api_version}
        writer.write(encoded(head))
        yield writer
        writer.end()
