"""A target folder: releases beside each other, and a link to the current one.

TARGET/
  .lock                     held while a freeze is at work
  current → releases/ID     swapped by one rename
  releases/ID/public/       what hosts serve
  releases/ID/errors/       bodies of errors, for host configurations
  releases/ID/manifest.json what is served at each address
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import FreezeError, TargetBusy, TargetUnusable
from site_mirror.snapshot.manifest import Manifest

PUBLIC = "public"
ERRORS = "errors"
MANIFEST = "manifest.json"
PARTIAL = ".partial-"


class Target:
    """The folder that deploy jobs freeze into."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.releases = root / "releases"
        self.current = root / "current"

    @property
    def release(self) -> Path | None:
        """The folder of the release that is served, if there is one."""
        return self.current.resolve() if self.current.is_dir() else None

    @property
    def public(self) -> Path:
        """What hosts serve."""
        return self.current / PUBLIC

    def manifest(self) -> Manifest | None:
        """The manifest of the release that is served; none before the first."""
        return manifest.read(self.current / MANIFEST)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other freezes out. The lock ends with the process, however that ends."""
        with explained(self.root):
            self.releases.mkdir(parents=True, exist_ok=True)
            lock = (self.root / ".lock").open("a+")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise TargetBusy(self.root, f" (process {lock.read().strip()})") from None
            with explained(self.root):
                self.sign(lock.fileno())
                self.clear()
                try:
                    yield
                finally:
                    self.clear()

    def sign(self, lock: int) -> None:
        """Write who holds the lock, for whoever finds it held."""
        os.ftruncate(lock, 0)
        os.write(lock, str(os.getpid()).encode())

    def clear(self) -> None:
        """Remove what a freeze that failed has left: staging, and a release never served."""
        leftovers = [*self.releases.glob(f"{PARTIAL}*")]
        if self.swap.is_symlink():
            leftovers += {self.swap.resolve()} - {self.release}
            self.swap.unlink()
        for leftover in leftovers:
            shutil.rmtree(leftover, ignore_errors=True)

    @property
    def swap(self) -> Path:
        return self.root / "current.new"

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder for a release in the making, gone afterwards unless it was published."""
        folder = self.releases / f"{PARTIAL}{os.getpid()}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, staged: Path, release: str) -> str:
        """Make a staged release the current one: everything on disk first, then one rename.

        Returns the release's name, which has a number if that name was taken.
        """
        to_disk(staged)
        home = self.unused(release)
        self.swap.symlink_to(Path("releases") / home.name)
        staged.rename(home)
        fsync(self.releases)
        self.swap.replace(self.current)
        fsync(self.root)
        return home.name

    def unused(self, release: str) -> Path:
        """A folder for a release; one of that name that exists already is never touched."""
        names = (release, *(f"{release}-{again}" for again in range(2, 1000)))
        return next(self.releases / name for name in names if not (self.releases / name).exists())


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
