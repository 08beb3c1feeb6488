"""What a freeze would change, and what its gates say, without a write to the target.

So a process that may not write there can tell. Only what differs is written, into a folder that is
removed at the end.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override

from catalogue.read_transactions import read_transaction
from site_mirror.freeze.site import gates_of, read_context, read_site, readable_database
from site_mirror.gates.deletions import MAX_DELETED_PERCENT
from site_mirror.snapshot.errors import GatesFailed
from site_mirror.snapshot.files import open_folder
from site_mirror.snapshot.freeze import Options, freeze
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL
from site_mirror.snapshot.state import read_valid_state
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Workspace


class RehearsedTarget(Target):
    """A target whose next release is staged in another folder, and stays there."""

    def __init__(self, root: Path, folder: Path) -> None:
        super().__init__(root)
        self.folder = folder

    @contextmanager
    def staging(self, now: str = "", *, verify: bool = False) -> Iterator[tuple[Workspace, int]]:
        is_cached = not verify and read_valid_state(self.release) is not None
        with open_folder(self.folder) as descriptor:
            yield Workspace(self.folder, self.release, is_cached, now, set()), descriptor


@contextmanager
def rehearsed_freeze(root: Path) -> Iterator[tuple[Path, Sequence[Verdict]]]:
    """Yield the release that a freeze would make, with the verdicts of the gates.

    It has only the files that differ. Raises `FreezeError`.
    """
    at = timezone.now()
    # Readers have no language of their own, and who asks may have another one.
    language = override(settings.LANGUAGE_CODE)
    with TemporaryDirectory() as folder:
        with language, readable_database(), read_transaction():
            target, context = RehearsedTarget(root, Path(folder)), read_context(at)
            gates = gates_of(context, (), MAX_DELETED_PERCENT)
            site, options = read_site(context, at), Options(dry_run=True)
            try:
                verdicts = freeze(target, site, MAIN_PROCESS_POOL, gates, options).gates
            except GatesFailed as failed:
                verdicts = failed.verdicts
        yield target.folder, verdicts
