"""How far a freeze is, on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from site_mirror.snapshot.candidate import Progress


@contextmanager
def progress_shown() -> Iterator[Progress]:
    """A live count on a terminal; nothing at all in a pipe."""
    if not sys.stderr.isatty():
        yield lambda staged: None
        return
    from site_mirror.management.display import counting  # noqa: PLC0415  (a pipe needs none)

    with counting() as progress:
        yield progress
