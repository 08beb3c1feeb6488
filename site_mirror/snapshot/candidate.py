"""A release that is staged and not yet published."""

from msgspec import Struct

from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.workspace import Workspace


class Candidate(Struct, frozen=True):
    """A staged release, and the published manifest.

    `removed` counts the documents that the published release has at other addresses.
    """

    workspace: Workspace
    manifest: Manifest
    previous: Manifest | None = None
    removed: int = 0
