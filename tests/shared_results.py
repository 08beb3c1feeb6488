"""Results that all processes of a run of the tests share."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = "SHARED_RESULTS"
"""The variable with their folder, which is that of the run."""


def make_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a file or folder that nobody may write; the first process that needs it makes it."""
    result = Path(os.environ[FOLDER]) / name
    with result.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            unfinished = result.with_name(f"{name}.unfinished")
            make(unfinished)
            unfinished.rename(result)
    return result
