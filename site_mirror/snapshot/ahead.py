"""Link what is published before anybody knows what of it stays: after an edit, nearly all does.

A process does so while the freeze is still being imported and rows are read. It may look at what
is published before it is told where to link it. What is made anew replaces what is there
(`files.write`), and what does not stay is removed in the end. Addresses of one program never make
a file of what was a folder, or a folder of what was a file.
"""

import multiprocessing
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import Folders, by_folder, remove
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.places import Place, link_all
from site_mirror.snapshot.portions import Remembered, files_in, remembered
from site_mirror.snapshot.staying import Windows, untouched

MOST = 500
"""Portions that are held between a look at them and their links: memory for speed."""

Whole = tuple[str, Folders]
"""The digest of a portion, and its files."""


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


class Linker(Struct):
    """A process that looks at the files of a release, and links them once it is told where."""

    published: Path
    windows: Windows
    way: Connection
    process: BaseProcess

    def link(self, place: Place) -> Ahead:
        with suppress(OSError):
            self.way.send(place)
        return Ahead(self.way)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.way.close()


EARLY: list[Linker] = []
"""Who looks already, for a freeze that has not begun."""


def look(published: Path, windows: Windows) -> None:
    """Look at a release before it is known that this pays."""
    if linker := started(published, windows):
        EARLY.append(linker)


@contextmanager
def linking(place: Place | None) -> Iterator[Ahead | None]:
    """Links every portion of the published release; nobody does without a place, nor where no copy
    of this process can be made.
    """
    linker = linker_of(place)
    if place is None or linker is None:
        yield None
        return
    try:
        yield linker.link(place)
    finally:
        linker.end()


def linker_of(place: Place | None) -> Linker | None:
    """Who looks at the published release already, or begins now; others are sent away."""
    found = None
    while EARLY:
        linker = EARLY.pop()
        if place and (linker.published, linker.windows) == (place.published, place.windows):
            found = linker
        else:
            linker.end()
    return found or (started(place.published, place.windows) if place and place.published else None)


def started(published: Path, windows: Windows) -> Linker | None:
    if "fork" not in multiprocessing.get_all_start_methods():
        return None
    context = multiprocessing.get_context("fork")
    with ExitStack() as undone, suppress(OSError):
        here, there = map(undone.enter_context, multiprocessing.Pipe())
        process = context.Process(target=run, args=(published, windows, here, there), daemon=True)
        process.start()
        there.close()
        undone.pop_all()
        return Linker(published, windows, here, process)
    return None


def run(published: Path, windows: Windows, here: Connection, way: Connection) -> None:
    """What cannot be read or linked is told by whoever needs it."""
    here.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    found: list[str] = []
    with suppress(OSError, EOFError, ValueError, KeyError, TypeError, IndexError):
        portions = whole(published, windows)
        seen = list(looked_at(portions, way.poll))
        found.extend(linked(way.recv(), chain(seen, portions)))
    with suppress(OSError):
        way.send(frozenset(found))


def whole(published: Path, windows: Windows) -> Iterator[Whole]:
    """The portions that a release remembers, as far as nobody has touched them."""
    for inputs, portion in remembered(published).items():
        folders = by_folder(files_in(published, portion.checksums))
        if untouched(published, folders, portion.seen, windows):
            yield inputs, folders


def looked_at(portions: Iterator[Whole], told: Callable[[], bool]) -> Iterator[Whole]:
    """Those that there is time for until it is told where to link, no more than can be held."""
    for _ in range(MOST):
        if told() or (portion := next(portions, None)) is None:
            return
        yield portion


def linked(place: Place, portions: Iterable[Whole]) -> Iterator[str]:
    """The digests of portions all of whose files could be taken over, while somebody waits.

    Nothing is copied: a copy that breaks off would be half a file. Raises `OSError`.
    """
    parent = multiprocessing.parent_process()
    for inputs, folders in portions:
        if parent and not parent.is_alive():
            return
        link_all(place, folders, refuse)
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
