"""Serve an earlier release again."""

from contextlib import suppress
from itertools import islice
from pathlib import Path

from site_mirror.snapshot import state
from site_mirror.snapshot.errors import ReleaseDamaged
from site_mirror.snapshot.releases import named
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verification import Subject, findings, subject

MOST = 1000
"""Faults that are counted."""


def roll_back(target: Target, release: str, public_key: str = "") -> bool:
    """Make a release the current one; answers whether it was not already.

    With a key, a release that was not signed by it is refused. Raises `FreezeError`.
    """
    named(target, release)
    with target.locked():
        home, read_at = named(target, release), 0
        with suppress(OSError):
            read_at = state.now(target.root)
        refuse_damaged(subject(home), release, public_key)
        if home.resolve() == target.release:
            return False
        target.switch(home)
        if read_at:
            with suppress(OSError):
                state.trust(target.root, home, read_at)
        return True


def refuse_damaged(found: Subject, release: str, public_key: str) -> None:
    """Raises `ReleaseDamaged` with the first reason."""
    first, *others = [*map(str, islice(findings(found, public_key), MOST))] or [""]
    if first:
        raise ReleaseDamaged(release, first, len(others))


def release_below(target: Path, release: str | None) -> Path:
    """A release of a target by its name; without one, the folder itself."""
    return named(Target(target), release) if release else target
