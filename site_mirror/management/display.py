"""The display of progress: a live count of documents on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def count_documents() -> Iterator[Callable[[int], None]]:
    columns = (SpinnerColumn(), TextColumn("{task.completed} documents"), TimeElapsedColumn())
    with Display(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("freeze", total=None)
        yield lambda documents: display.advance(task, documents)
