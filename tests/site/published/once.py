"""What is made once in a run of the suite, whichever of its processes comes first."""

import fcntl
from collections.abc import Callable
from pathlib import Path


def once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """A file or folder below `folder`, made by the first process that asks for it."""
    made = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            unfinished = folder / f"{name}.unfinished"
            make(unfinished)
            unfinished.rename(made)
    return made
