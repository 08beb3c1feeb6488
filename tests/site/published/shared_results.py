"""Results that test processes share, computed once in a run."""

import fcntl
from collections.abc import Callable
from pathlib import Path


def compute_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return a file or folder below `folder`; the first process that needs it computes it."""
    result = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            unfinished = folder / f"{name}.unfinished"
            make(unfinished)
            unfinished.rename(result)
    return result
