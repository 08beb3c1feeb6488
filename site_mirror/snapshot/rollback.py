"""Make an earlier release the current one."""

from itertools import islice

from site_mirror.snapshot.errors import ReleaseDamaged
from site_mirror.snapshot.releases import find_release
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import VerifiedFiles, find_discrepancies, find_files_to_verify

MAX_COUNTED_DISCREPANCIES = 1000
"""Discrepancies that are counted; a release with one of them is refused anyway."""


def roll_back(target: Target, release: str) -> bool:
    """Make a release the current one; return false if it already was. Raises `FreezeError`."""
    find_release(target, release)
    with target.locked():
        home = find_release(target, release)
        refuse_damaged_release(find_files_to_verify(home), release)
        if home.resolve() == target.release:
            return False
        target.switch(home)
        return True


def refuse_damaged_release(files: VerifiedFiles, release: str) -> None:
    """Raise `ReleaseDamaged` with the first discrepancy, if there is one."""
    first, *others = [*map(str, islice(find_discrepancies(files), MAX_COUNTED_DISCREPANCIES))] or [
        ""
    ]
    if first:
        raise ReleaseDamaged(release, first, len(others))
