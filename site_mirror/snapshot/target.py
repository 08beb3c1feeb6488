"""A target folder: releases, and a symbolic link to the current one.

TARGET/
  .lock                  locked while a process uses the target
  progress.jsonl         what the last job of the desk did (`site_mirror.desk.publishing`)
  current → releases/ID  swapped by one rename
  deployed → releases/ID the one that a job has compared with its site, or rolled back to
  releases/ID/           a release (`layout`)

A process may end at any step. Each file that it leaves is either complete or has a name that the
next process removes: `.partial-*` is a release that is being staged or removed, `current.new` leads
to a release that was never served, `current.back` to one that becomes current or deployed.

A web server reads the public tree, so it can pass through the folders above it (mode 711);
everything else can be read only by its owner. A folder TARGET that exists keeps its mode.

A job that freezes and deploys reserves the target by a lock of the folder TARGET itself, which its
processes hold until the last of them has ended.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from site_mirror.snapshot import disks, manifest
from site_mirror.snapshot.disks import sync_path
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.files import (
    PASSAGE_FOLDER_MODE,
    PRIVATE_FILE_MODE,
    make_folders,
    open_folder,
)
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.state import read_valid_state
from site_mirror.snapshot.workspace import Workspace

PARTIAL_PREFIX = ".partial-"
LOCK_TIMEOUT_SECONDS = 3.0
"""The time to wait for a lock: the workers of a killed freeze hold it until they have ended."""


class Target:
    """The folder that deploy jobs freeze into."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.releases = root / "releases"
        self.current, self.deployed = root / "current", root / "deployed"
        self.swap = root / "current.new"
        self.back = root / "current.back"

    @property
    def release(self) -> Path | None:
        """The folder of the current release, if there is one."""
        return follow_link(self.current)

    @property
    def deployed_release(self) -> Path | None:
        """The folder of the release that a deploy job takes back to, if there is one."""
        return follow_link(self.deployed)

    def manifest(self) -> Manifest | None:
        return manifest.read_manifest(self.release / MANIFEST) if self.release else None

    @contextmanager
    def locked(self, *, wait: bool = True) -> Iterator[None]:
        """Lock the target. Processes that are forked meanwhile also hold the lock."""
        with raising_unusable(self.root):
            make_folders(str(self.releases), PASSAGE_FOLDER_MODE)
            # A symbolic link in place of the lock is refused.
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.fdopen(os.open(self.root / ".lock", flags, PRIVATE_FILE_MODE), "r+")
        with lock:
            if not acquire_lock(lock, wait=wait):
                raise FreezeError(
                    f"Another process ({lock.read()}) is at work in {self.root}. "
                    "Wait until it has ended."
                )
            with raising_unusable(self.root):
                # The id of this process is for the error of another one.
                os.ftruncate(lock.fileno(), 0)
                os.write(lock.fileno(), str(os.getpid()).encode())
                self.remove_leftovers()
                try:
                    yield
                finally:
                    self.remove_leftovers()
                    # Unlocked by hand, because a forked worker may still have the descriptor.
                    fcntl.flock(lock, fcntl.LOCK_UN)

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Reserve the target for a job."""
        with raising_unusable(self.root):
            make_folders(str(self.root), PASSAGE_FOLDER_MODE)
        with open_folder(self.root) as folder:
            if not acquire_lock(folder, wait=True):
                raise FreezeError(
                    f"Another job is at work in {self.root}. Wait until it has ended."
                )
            yield

    @property
    def is_reserved(self) -> bool:
        try:
            with open_folder(self.root) as folder:
                return not acquire_lock(folder, wait=False, kind=fcntl.LOCK_SH)
        except OSError:
            return False

    def remove_leftovers(self) -> None:
        """Remove partial releases and a release that was never served, after a failed process."""
        for leftover in self.leftovers():
            if leftover.is_symlink() or not leftover.is_dir():
                leftover.unlink(missing_ok=True)
            else:
                shutil.rmtree(leftover, ignore_errors=True)

    def leftovers(self) -> list[Path]:
        """Return the files of an interrupted process.

        The links are last, because one of them names a release that is also to be removed.
        """
        leftovers = [*self.releases.glob(f"{PARTIAL_PREFIX}*")]
        if self.swap.is_symlink():
            # This link leads to a release that got its name and was not served.
            leftovers += {self.releases.resolve() / self.swap.readlink().name} - {self.release}
        return [*leftovers, *filter(os.path.lexists, (self.back, self.swap))]

    def remove_leftovers_if_idle(self) -> None:
        """Remove leftovers unless another process holds the lock."""
        if self.leftovers():
            with suppress(FreezeError), self.locked(wait=False):
                pass

    @contextmanager
    def staging(self, now: str = "", *, verify: bool = False) -> Iterator[tuple[Workspace, int]]:
        """Create a staging folder, which is removed unless it was published.

        Also yield a descriptor of its file system (`disks`). With `verify` the build cache counts
        as invalid, so that every document is rendered and compared with its published files.
        """
        release = self.release
        is_cached = not verify and read_valid_state(release) is not None
        folder = self.releases / f"{PARTIAL_PREFIX}{os.getpid()}"
        folder.mkdir()
        # The umask was applied to the mode of `mkdir`.
        folder.chmod(PASSAGE_FOLDER_MODE)
        try:
            with open_folder(self.root) as descriptor:
                yield Workspace(folder, release, is_cached, now), descriptor
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, staged: Path, release: str, disk_descriptor: int) -> None:
        """Make a staged release the current one by a rename, after all of it is on disk.

        `disk_descriptor` is open on its file system (`disks`).
        """
        home = self.releases / release
        # The order matters after a power cut: bytes, then names of the release, then its own name,
        # and at last the link to it. Each `fsync` makes the step before it durable.
        disks.sync_disk(disk_descriptor)
        sync_path(staged / MANIFEST)
        sync_path(staged)
        # A link cannot be changed: a new one is renamed over it, so readers see one of them.
        self.swap.symlink_to(Path("releases") / home.name)
        staged.rename(home)
        sync_path(self.releases)
        self.swap.replace(self.current)
        sync_path(self.root)

    def switch(self, link: Path, release: Path) -> None:
        """Make an existing release the current or the deployed one, by the same rename."""
        self.back.symlink_to(Path("releases") / release.name)
        self.back.replace(link)
        sync_path(self.root)

    def remove(self, release: Path) -> None:
        """Remove a release, after a rename that marks it as partial if this is interrupted."""
        partial = release.with_name(f"{PARTIAL_PREFIX}{release.name}")
        # A rollback must not find a release of which some files are gone.
        release.rename(partial)
        shutil.rmtree(partial)


def follow_link(link: Path) -> Path | None:
    return link.resolve() if link.is_symlink() and link.is_dir() else None


def acquire_lock(lock: IO[str] | int, *, wait: bool, kind: int = fcntl.LOCK_EX) -> bool:
    """Lock a file and return whether that succeeded; with `wait`, try for a few seconds."""
    until = monotonic() + (LOCK_TIMEOUT_SECONDS if wait else 0)
    while True:
        try:
            # The kernel ends this lock with its process; a file with a pid would stay.
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                return False
            sleep(LOCK_TIMEOUT_SECONDS / 100)
        else:
            return True


@contextmanager
def raising_unusable(target: Path) -> Iterator[None]:
    """Turn an `OSError` into a `FreezeError` that names the target."""
    try:
        yield
    except FreezeError:
        raise
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise FreezeError(f"{target} cannot be written: {error.strerror}{where}.") from error
