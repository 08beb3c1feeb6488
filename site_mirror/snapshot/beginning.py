"""The beginning of a freeze: the lock of a target, and a folder for the release in the making."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot import disks, share, state
from site_mirror.snapshot.ahead import Ahead, linking
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.target import Target


class Beginning(Struct, frozen=True):
    """Where a release is made, and who links `ahead` what is published, if anybody does.

    `disk` is a descriptor of the target's file system. With `verify` nothing of the published
    release is taken over unread.
    """

    place: Place
    disk: int
    ahead: Ahead | None = None
    verify: bool = False


@contextmanager
def begun(target: Target, *, ahead: bool = False, verify: bool = False) -> Iterator[Beginning]:
    """Nobody else freezes into the target meanwhile. Raises `FreezeError`.

    To link `ahead` pays where nearly all of what is published stays. A share of the published
    files is read again; if one of them is damaged, the freeze verifies all of them.
    """
    with target.locked(), disks.of(target.root) as disk:
        release = target.release
        known = state.read(target.root, release)
        verify = verify or (release is not None and not share.is_whole(release, known.share))
        with target.staging() as folder, links_noted(target, release, folder):
            place = Place(folder, release, () if verify else known.windows)
            with linking(place if ahead and release and not verify else None) as links:
                yield Beginning(place, disk, links, verify)


@contextmanager
def links_noted(target: Target, release: Path | None, folder: Path) -> Iterator[None]:
    """Note when this freeze has moved change times of published files, unless it has replaced
    their release.

    Each of those files was checked before it was linked. The links go with the staging folder.
    """
    start = folder.stat().st_ctime_ns
    try:
        yield
    finally:
        target.drop(folder)
        if release and target.release == release:
            with suppress(OSError):
                state.add_window(target.root, release, start)
