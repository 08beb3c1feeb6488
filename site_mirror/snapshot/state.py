"""The state of a target's current release (`.checked`).

`windows` are the times in which freezes themselves changed the change times of the release's files
(`staying`). `share` is the part of the release that the next freeze reads again. A freeze that
finds no state of the current release reads every file that it reuses.
"""

import os
from pathlib import Path
from time import monotonic, sleep

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from site_mirror.snapshot.files import PRIVATE_FILE, body, created, write_over
from site_mirror.snapshot.share import SHARES
from site_mirror.snapshot.staying import Windows

NAME = ".checked"
MOST = 8
"""Windows that are kept: one is added by each freeze that fails or only checks."""
LONGEST_TICK = 3.0
"""Seconds after which a clock of a file system counts as standing still."""


class State(Struct, frozen=True):
    """The state of one release, which has this name."""

    release: str = ""
    windows: Windows = ()
    share: int = 0


def read(target: Path, release: Path | None) -> State:
    """The state of the current release; an empty one if there is none that can be read."""
    try:
        found = orjson.loads(body(target, NAME))
        windows = tuple((int(start), int(end)) for start, end in found["windows"])
        state = State(str(found["release"]), windows, int(found["share"]))
    except (OSError, ValueError, KeyError, TypeError):
        return State()
    if release is None or state.release != release.name:
        return State(share=state.share)
    return state


def keep(target: Path, state: State) -> None:
    """Raises `OSError`."""
    write_over(f"{target}/{NAME}", orjson.dumps(asdict(state)))


def trust(target: Path, release: Path, until: int | None = None) -> None:
    """Trust the metadata of a release: all of its files were made or checked by now.

    `until` is the time of that check, where it was earlier. Raises `OSError`.
    """
    windows = ((0, until or now(target)),)
    keep(target, State(release.name, windows, next_share(read(target, release))))


def add_window(target: Path, release: Path, start: int) -> None:
    """Trust what the program has done to links of files since a time. Raises `OSError`."""
    state = read(target, release)
    windows = (*state.windows[:1], *state.windows[1:][2 - MOST :], (start, now(target)))
    keep(target, State(release.name, windows, next_share(state)))


def next_share(state: State) -> int:
    return (state.share + 1) % SHARES


def now(target: Path) -> int:
    """The time of the target's file system, later than that of every change made before.

    Such a clock ticks every few milliseconds, so this waits for the next tick.
    """
    path = f"{target}/{NAME}.now"
    descriptor = created(path, PRIVATE_FILE)
    try:
        first = last = os.fstat(descriptor).st_ctime_ns
        until = monotonic() + LONGEST_TICK
        while last == first and monotonic() < until:
            sleep(0.0005)
            os.fchmod(descriptor, PRIVATE_FILE)
            last = os.fstat(descriptor).st_ctime_ns
        return last
    finally:
        os.close(descriptor)
        Path(path).unlink()
