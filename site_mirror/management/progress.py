"""The progress of a freeze on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress() -> Iterator[Callable[[int], None]]:
    """Show a live count on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda documents: None
        return
    from site_mirror.management.display import count_documents  # noqa: PLC0415  (not needed in a pipe)

    with count_documents() as progress:
        yield progress
