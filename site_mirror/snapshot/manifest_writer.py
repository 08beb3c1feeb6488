"""Write a manifest line by line."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from site_mirror.snapshot.files import create_private_file
from site_mirror.snapshot.lines import HeaderFields, ManifestLine, encode_line
from site_mirror.snapshot.manifest import MANIFEST_FORMAT

SECTION_NAMES = ("documents", "redirects", "errors")


class ManifestWriter(Struct):
    """Writes the manifest of a staged release: first documents, then redirects, then errors."""

    file: BinaryIO
    starts: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    profiles: dict[str, HeaderFields] = field(default_factory=dict)
    files: int = 0
    size: int = 0
    written: int = 0
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def write(self, text: bytes) -> None:
        self.file.write(text)
        # Computed while it is written: reading 350 MB again for 100,000 posts would take a second.
        self.digest.update(text)
        self.written += len(text)

    def begin(self, section: str) -> None:
        self.starts[section] = self.written
        self.counts[section] = 0

    def add(self, section: str, line: ManifestLine) -> None:
        self.write(line.text)
        self.counts[section] += 1
        self.profiles[line.profile.name] = line.profile.headers

    def extend(
        self, section: str, lines: bytes, count: int, profiles: Mapping[str, HeaderFields]
    ) -> None:
        """Add lines that are already formatted, and the profiles that they name."""
        self.write(lines)
        self.counts[section] += count
        self.profiles.update(profiles)

    def end(self) -> None:
        sections = {
            name: {"start": self.starts[name], "count": self.counts[name]} for name in SECTION_NAMES
        }
        contents = {
            "contents": sections,
            "files": self.files,
            "bytes": self.size,
            "profiles": dict(sorted(self.profiles.items())),
        }
        self.write(encode_line(contents))

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()


@contextmanager
def writing_manifest(path: Path, site_root: str, api_version: str) -> Iterator[ManifestWriter]:
    """Open a manifest for writing; it is complete if the block ends without an error."""
    with create_private_file(path) as file:
        writer = ManifestWriter(file)
        head = {"format": MANIFEST_FORMAT, "siteRoot": site_root, "apiVersion": api_version}
        writer.write(encode_line(head))
        yield writer
        writer.end()
