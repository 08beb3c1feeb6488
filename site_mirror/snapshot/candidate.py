"""A release that is staged and not yet published."""

from collections.abc import Sequence

from msgspec import Struct

from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.workspace import Workspace


class Candidate(Struct, frozen=True):
    """A staged release, compared with the published one.

    `sha256` is the checksum of the manifest, `previous` the published manifest. `written` counts
    new files, `removed` documents. `differing` are files outside the public tree that differ from
    the published ones. `healed` are damaged files of the published release, which were built again;
    `strange` are names in it that its manifest does not have.
    """

    workspace: Workspace
    manifest: Manifest
    sha256: str
    previous: Manifest | None = None
    written: int = 0
    removed: int = 0
    differing: Sequence[str] = ()
    healed: Sequence[str] = ()
    strange: Sequence[str] = ()

    @property
    def differs(self) -> bool:
        """Whether publishing it would change anything that is served."""
        changes = self.written or self.differing or self.healed or self.strange
        return bool(changes) or self.workspace.published is None
