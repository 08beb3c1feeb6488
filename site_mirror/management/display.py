"""A live count of documents on a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from site_mirror.snapshot.candidate import Progress


@contextmanager
def counting() -> Iterator[Progress]:
    columns = (SpinnerColumn(), TextColumn("{task.completed} documents"), TimeElapsedColumn())
    with Display(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("freeze", total=None)
        yield lambda staged: display.advance(task)
