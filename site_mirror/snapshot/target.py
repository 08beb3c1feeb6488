"""A target folder: releases beside each other, and a link to the current one.

TARGET/
  .lock                  held while a process is at work
  current → releases/ID  swapped by one rename
  releases/ID/           a release (`layout`)

A process may end at any step. What it leaves is either whole or has a name that the next one
removes: `.partial-*` is a release in the making or going, `current.new` leads to a release that
was never served, `current.back` to one that was.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import FreezeError, TargetBusy, TargetUnusable
from site_mirror.snapshot.layout import MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import Manifest

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
        return self.current.resolve() if self.current.is_dir() else None

    @property
    def public(self) -> Path:
        """What hosts serve."""
        return self.current / PUBLIC

    @property
    def since(self) -> int:
        """When the manifest of the release that is served was written, in nanoseconds."""
        file = self.current / MANIFEST
        return file.stat().st_mtime_ns if file.is_file() else 0

    def manifest(self) -> Manifest | None:
        """The manifest of the release that is served; none before the first."""
        return manifest.read(self.release / MANIFEST) if self.release else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes out. The lock ends with this one and its copies."""
        with explained(self.root):
            self.releases.mkdir(parents=True, exist_ok=True)
            lock = (self.root / ".lock").open("a+")
        with lock:
            if not taken(lock):
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
        self.back.unlink(missing_ok=True)
        leftovers = [*self.releases.glob(f"{PARTIAL}*")]
        if self.swap.is_symlink():
            leftovers += {self.releases.resolve() / self.swap.readlink().name} - {self.release}
        for leftover in leftovers:
            shutil.rmtree(leftover, ignore_errors=True)
        self.swap.unlink(missing_ok=True)

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder for a release in the making, gone afterwards unless it was published."""
        folder = self.releases / f"{PARTIAL}{os.getpid()}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, staged: Path, release: str) -> None:
        """Make a staged release the current one: everything on disk first, then one rename."""
        home = self.releases / release
        to_disk(staged)
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


def taken(lock: IO[str]) -> bool:
    """Whether a lock was to be had, if need be after a while: copies of a process that was killed
    hold it until they have found that out.
    """
    until = monotonic() + PATIENCE
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


def to_disk(folder: Path) -> None:
    """Wait until everything below a folder is on disk."""
    os.sync()
    fsync(folder / MANIFEST)
    fsync(folder)


def fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
