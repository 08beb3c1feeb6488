"""A release that is staged, and the published release that it may reuse."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import group_by_folder, link_files
from site_mirror.snapshot.layout import BATCHES, PUBLIC
from site_mirror.snapshot.manifest import Manifest


class Workspace(Struct, frozen=True):
    """A staging folder and the published release, if there is one; workers get it, too.

    `is_cached` says that the published release has a valid build cache: otherwise every document is
    rendered and checked, and the bytes of every file that is reused are compared. A document of the
    published release with a later moment than `now` is not reused, because a clock was ahead. A
    rehearsal only notes the files that a freeze would link: thousands of links take seconds.
    """

    staging: Path
    published: Path | None = None
    is_cached: bool = False
    now: str = ""
    linked: set[str] | None = None

    def has_result(self, digest: str) -> bool:
        if self.published is None or not self.is_cached or not digest:
            return False
        return (self.published / BATCHES / digest).is_file()

    def public_path(self, file: str) -> str:
        return f"{self.staging}/{PUBLIC}/{file}"

    def find_file(self, file: str) -> Path:
        """Return where a public file is that was written, or linked from the published release."""
        is_only_noted = self.linked is not None and file in self.linked
        return Path(
            f"{self.published}/{PUBLIC}/{file}" if is_only_noted else self.public_path(file)
        )

    def has_file(self, file: str) -> bool:
        return file in (self.linked or ()) or Path(self.public_path(file)).exists()

    def link_files(self, files: Iterable[str], release: Path | None = None) -> None:
        """Hard-link public files of a release, by default of the published one."""
        if self.linked is not None:
            self.linked.update(files)
            return
        for folder, names in group_by_folder(files).items():
            source = (str(release or self.published), f"/{PUBLIC}{folder}")
            link_files(names, source, self.public_path("") + folder[1:])


class Candidate(Struct, frozen=True):
    """A staged release, and the published manifest.

    `removed` counts the documents that the published release has at other addresses.
    """

    workspace: Workspace
    manifest: Manifest
    previous: Manifest | None = None
    removed: int = 0
