"""Link what is published before anybody knows what of it stays: after an edit, nearly all does.

A process does so while the freeze is still being imported and rows are read. What is made anew
replaces what is there (`files.write`), and what does not stay is removed in the end. Addresses of
one program never make a file of what was a folder, or a folder of what was a file.
"""

import multiprocessing
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import remove
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.places import Place, carried
from site_mirror.snapshot.portions import Remembered, files_in, remembered


class Ahead(Struct):
    """The process, as whoever needs what it links sees it. One that ends early has linked nothing
    that could be relied on.
    """

    tells: Connection
    linked: frozenset[str] | None = None

    def ended(self) -> bool:
        return self.linked is not None or self.tells.poll()

    def may_have(self, inputs: str) -> bool:
        """Whether a portion is linked as a whole, or may yet be."""
        return not self.ended() or inputs in self.wait()

    def wait(self) -> frozenset[str]:
        """The digests of the portions that are linked as a whole, once no more will be."""
        if self.linked is None:
            self.linked = frozenset()
            with suppress(EOFError, OSError):
                self.linked = self.tells.recv()
        return self.linked


@contextmanager
def linking(place: Place) -> Iterator[Ahead | None]:
    """Links every portion of the published release; nobody does where no copy of this process can
    be made.
    """
    here, process = started(place)
    if process is None:
        yield None
        return
    try:
        yield Ahead(here)
    finally:
        process.kill()
        process.join()
        here.close()


def started(place: Place) -> tuple[Connection, BaseProcess | None]:
    """The process, and where it tells what it has linked."""
    here, there = multiprocessing.Pipe(duplex=False)
    with there, suppress(OSError):
        if "fork" in multiprocessing.get_all_start_methods():
            context = multiprocessing.get_context("fork")
            process = context.Process(target=run, args=(place, here, there), daemon=True)
            process.start()
            return here, process
    here.close()
    return here, None


def run(place: Place, here: Connection, there: Connection) -> None:
    """What cannot be read or linked is told by whoever needs it."""
    here.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    found: list[str] = []
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        found.extend(linked(place))
    with suppress(OSError):
        there.send(frozenset(found))


def linked(place: Place) -> Iterator[str]:
    """The digests of portions all of whose files could be taken over, while somebody waits.

    Nothing is copied: a copy that breaks off would be half a file. Raises `OSError`.
    """
    published, parent = place.published or Path(), multiprocessing.parent_process()
    for inputs, portion in remembered(published).items():
        if parent and not parent.is_alive():
            return
        if carried(place, files_in(published, portion.checksums), refuse):
            yield inputs


def refuse(source: str, target: str) -> None:
    raise PermissionError(f"{source} cannot be linked as {target}")


def undo(place: Place, ahead: Ahead) -> None:
    """Remove everything that was linked."""
    ahead.wait()
    with suppress(FileNotFoundError):
        shutil.rmtree(place.folder / PUBLIC)


def unlink(place: Place, leaving: Iterable[Remembered], stays: Callable[[int], bool]) -> None:
    """Remove the files of portions, but for those that stay, told by a hash of their names."""
    for portion in leaving:
        for file in files_in(place.published or Path(), portion.checksums):
            if not stays(hash(file)):
                remove(f"{place.folder}/{PUBLIC}", file)
