"""Assets of earlier releases, which a release carries for a week.

The address of a style sheet or a script has a digest of its content, so it changes with the
content. A page in the cache of a browser names the address of the release that it came from, and a
host serves one release only.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from msgspec.structs import replace

from catalogue.moments import iso_moment
from site_mirror.snapshot.entries import Entry, parse_line
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.manifest import read_manifest
from site_mirror.snapshot.published import damaged_files
from site_mirror.snapshot.results import BatchResult, sum_up
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import EncodedDocument

CARRIED_DAYS = 7
"""Days after the first release without an asset, much longer than caches keep a page."""


def carry_assets(workspace: Workspace, served: Iterable[Path]) -> BatchResult:
    """Link the assets that releases which were served have and the staged one has not.

    No gate checks them: they may be requested, and no document of this release may link to them.
    """
    now, carried = workspace.now, list[EncodedDocument]()
    earliest = iso_moment(datetime.fromisoformat(now) - timedelta(days=CARRIED_DAYS))
    for release, entry in ((each, entry) for each in served for entry in lasting_documents(each)):
        since = min(entry.superseded or now, now)
        is_present = workspace.has_file(entry.file)
        is_valid = earliest <= since and entry.generated_at <= now
        if is_valid and not is_present and not damaged_files(release, entry.digests):
            workspace.link_files(entry.files, release)
            # Without a digest of its inputs it is not reused if the asset comes back.
            carried.append(EncodedDocument(replace(entry, superseded=since, inputs="")))
    return sum_up(carried, "")


def lasting_documents(release: Path) -> Iterator[Entry]:
    """Yield the documents that a browser does not request again, because their address changes."""
    manifest = read_manifest(release / MANIFEST)
    if manifest is None:
        return
    for line in manifest.documents.raw_lines():
        # Only the lines of assets are parsed, because that takes ten times as long as a search.
        if b"immutable" in line:
            with suppress(msgspec.DecodeError):  # The line is damaged.
                entry = parse_line(line, Entry)
                if "immutable" in entry.headers.get("Cache-Control", ""):
                    yield entry
