"""Link what is published before anybody knows what of it stays: after an edit, nearly all does.

A process does so while the freeze is still being imported and rows are read. What is made anew
replaces what is there (`files.write`), and what does not stay is removed in the end.
"""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.checksums import files_of
from site_mirror.snapshot.files import forget
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.places import Place, carried
from site_mirror.snapshot.portions import Remembered, part_of, remembered


class Ahead(Struct):
    """The process, as whoever needs what it links sees it. One that ends early has linked nothing
    that could be relied on.
    """

    tells: Connection
    linked: frozenset[str] | None = None

    def wait(self) -> frozenset[str]:
        """The digests of the portions that are linked as a whole, once there is no other."""
        if self.linked is None:
            self.linked = frozenset()
            with suppress(EOFError, OSError):
                self.linked = self.tells.recv()
        return self.linked


@contextmanager
def linking(place: Place, lock: int) -> Iterator[Ahead | None]:
    """Links every portion of the published release; nobody does on a system without copies of a
    process. The `lock` is this process's alone.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield None
        return
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=link, args=(place, lock, there), daemon=True)
    process.start()
    there.close()
    try:
        yield Ahead(here)
    finally:
        process.kill()
        process.join()
        here.close()


def link(place: Place, lock: int, there: Connection) -> None:
    """What cannot be read or linked is told by whoever needs it."""
    os.close(lock)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    found: list[str] = []
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        found.extend(linked(place))
    with suppress(OSError):
        there.send(frozenset(found))


def linked(place: Place) -> Iterator[str]:
    """The digests of portions all of whose files could be taken over, while somebody waits."""
    published, waiting = place.published or Path(), multiprocessing.parent_process()
    for inputs, portion in remembered(published).items():
        if waiting and not waiting.is_alive():
            return
        if carried(place, files_of(part_of(published, portion.checksums))):
            yield inputs


def undo(place: Place, ahead: Ahead) -> None:
    """Remove everything that was linked."""
    ahead.wait()
    shutil.rmtree(place.folder / PUBLIC, ignore_errors=True)


def unlink(place: Place, leaving: Iterable[Remembered], stays: Callable[[str], bool]) -> None:
    """Remove the files of portions, but for those that stay."""
    for portion in leaving:
        for file in files_of(part_of(place.published or Path(), portion.checksums)):
            if not stays(file):
                forget(f"{place.folder}/{PUBLIC}", file)
