"""How far a freeze is, on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from site_mirror.snapshot.candidate import Progress


@contextmanager
def progress_shown() -> Iterator[Progress]:
    """A live count on a terminal; nothing at all in a pipe."""
    if not sys.stderr.isatty():
        yield lambda staged: None
        return
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} documents"), TimeElapsedColumn())
    with Display(*columns, console=console, transient=True) as progress:
        task = progress.add_task("freeze", total=None)
        yield lambda staged: progress.advance(task)
