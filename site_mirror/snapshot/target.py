"""A target folder: releases beside each other, and a link to the current one.

TARGET/
  .lock                  held while a process is at work
  .checked               what is known of the current release's files (`state`)
  current → releases/ID  swapped by one rename
  releases/ID/           a release (`layout`)

A process may end at any step. What it leaves is either whole or has a name that the next one
removes: `.partial-*` is a release in the making or going, `current.new` leads to a release that
was never served, `current.back` to one that was.

A web server reads what is public, so folders on the way there can be passed through (mode 711),
and everything else is its owner's alone. A folder TARGET that exists keeps its mode.
"""

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from site_mirror.snapshot import disks, manifest, state
from site_mirror.snapshot.disks import fsync
from site_mirror.snapshot.errors import FreezeError, TargetBusy, TargetUnusable
from site_mirror.snapshot.files import PRIVATE_FILE, WAY, make_folders
from site_mirror.snapshot.layout import MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.staying import Windows

PARTIAL = ".partial-"
PATIENCE = 3.0
"""How long to wait for a lock, in seconds."""


class Target:
    """The folder that deploy jobs freeze into."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.releases = root / "releases"
        self.current = root / "current"
        self.swap = root / "current.new"
        self.back = root / "current.back"

    @property
    def release(self) -> Path | None:
        """The folder of the release that is served, if there is one."""
        there = self.current.is_symlink() and self.current.is_dir()
        return self.current.resolve() if there else None

    @property
    def public(self) -> Path:
        """What hosts serve."""
        return self.current / PUBLIC

    @property
    def windows(self) -> Windows:
        """When the program itself moved change times of files of the release that is served."""
        return state.read(self.root, self.release).windows

    def manifest(self) -> Manifest | None:
        """The manifest of the release that is served; none before the first."""
        return manifest.read(self.release / MANIFEST) if self.release else None

    @contextmanager
    def locked(self, *, wait: bool = True) -> Iterator[None]:
        """Keep other processes out. The lock ends with this one and its copies."""
        with explained(self.root):
            make_folders(str(self.releases), WAY)
            let_through(self.releases)
            lock = open_lock(self.root / ".lock")
        with lock:
            if not taken(lock, wait=wait):
                lock.seek(0)
                raise TargetBusy(self.root, f" ({lock.read().strip()})")
            with explained(self.root):
                self.sign(lock.fileno())
                self.clear()
                try:
                    yield
                finally:
                    self.clear()
                    fcntl.flock(lock, fcntl.LOCK_UN)

    def sign(self, lock: int) -> None:
        """Write who holds the lock, for whoever finds it held."""
        os.ftruncate(lock, 0)
        os.write(lock, str(os.getpid()).encode())

    def clear(self) -> None:
        """Remove what a process that failed has left: partial releases, one never served."""
        for leftover in self.leftovers():
            if leftover.is_symlink() or not leftover.is_dir():
                leftover.unlink(missing_ok=True)
            else:
                shutil.rmtree(leftover, ignore_errors=True)

    def leftovers(self) -> list[Path]:
        """Files that an ended process left behind; the link that names a release comes last."""
        found = [*self.releases.glob(f"{PARTIAL}*"), *self.root.glob(f"{state.NAME}.*")]
        if self.swap.is_symlink():
            found += {self.releases.resolve() / self.swap.readlink().name} - {self.release}
        return [*found, *filter(os.path.lexists, (self.back, self.swap))]

    def tidy(self) -> None:
        """Remove what processes have left, unless one is still at work."""
        if self.leftovers():
            with suppress(FreezeError), self.locked(wait=False):
                pass

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder for a release in the making, gone afterwards unless it was published."""
        folder = self.releases / f"{PARTIAL}{os.getpid()}"
        folder.mkdir()
        folder.chmod(WAY)
        try:
            yield folder
        finally:
            self.drop(folder)

    def drop(self, staged: Path) -> None:
        """Remove a release in the making, if it was not published."""
        shutil.rmtree(staged, ignore_errors=True)

    def publish(self, staged: Path, release: str, disk: int) -> None:
        """Make a staged release the current one: everything on disk first, then one rename.

        `disk` is a descriptor of its file system (`disks`).
        """
        home = self.releases / release
        disks.sync(disk)
        fsync(staged / MANIFEST)
        fsync(staged)
        self.swap.symlink_to(Path("releases") / home.name)
        staged.rename(home)
        fsync(self.releases)
        self.swap.replace(self.current)
        fsync(self.root)

    def unused(self, release: str) -> str:
        """A name for a release: with a number if there is one of that name, never its place."""
        names = (release, *(f"{release}-{again}" for again in range(2, 1000)))
        return next(name for name in names if not (self.releases / name).exists())

    def switch(self, release: Path) -> None:
        """Make an earlier release the current one, by the same rename."""
        self.back.symlink_to(Path("releases") / release.name)
        self.back.replace(self.current)
        fsync(self.root)

    def remove(self, release: Path) -> None:
        """Remove a release: first it loses its name, so that no half of one is ever found."""
        going = release.with_name(f"{PARTIAL}{release.name}")
        release.rename(going)
        shutil.rmtree(going)


def let_through(folder: Path) -> None:
    """Let a web server pass through a folder that was made under a narrow umask."""
    if stat.S_IMODE(folder.stat().st_mode) & WAY != WAY:
        folder.chmod(WAY)


def open_lock(path: Path) -> IO[str]:
    """The lock's file, its owner's alone; a symbolic link is refused."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != PRIVATE_FILE:
        os.fchmod(descriptor, PRIVATE_FILE)
    return os.fdopen(descriptor, "r+")


def taken(lock: IO[str], *, wait: bool) -> bool:
    """Whether a lock was to be had, if need be after a while: copies of a process that was killed
    hold it until they have found that out.
    """
    until = monotonic() + (PATIENCE if wait else 0)
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                return False
            sleep(PATIENCE / 100)
        else:
            return True


@contextmanager
def explained(target: Path) -> Iterator[None]:
    """What the operating system refuses, as a sentence."""
    try:
        yield
    except FreezeError:
        raise
    except OSError as error:
        raise TargetUnusable(target, error) from error
