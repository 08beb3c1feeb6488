"""Make an earlier release the current one."""

from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.releases import find_release
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify


def roll_back(target: Target, release: str, *, deployed: bool = True) -> bool:
    """Make a release current, and `deployed`; false if it was current. Raises `FreezeError`."""
    # Found before the target is locked, because that would create a target that does not exist.
    home = find_release(target, release)
    with target.locked():
        for first in find_discrepancies(find_files_to_verify(home)):
            raise FreezeError(f"Release {release} is not as it was published: {first}.")
        if home.resolve() == target.release:
            return False
        target.switch(target.current, home)
        # The moment of the link says which releases were refused since.
        if deployed and home.resolve() != target.deployed_release:
            target.switch(target.deployed, home)
        return True
