"""The state of a target's current release (`.checked`).

`windows` are the times in which freezes themselves changed the change times of the release's files
(`integrity`). `share` is the number of the next spot check (`spot_checks`). Without a state of the
current release, a freeze reads every file before it reuses it.
"""

import os
from pathlib import Path
from time import monotonic, sleep

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from site_mirror.snapshot.files import (
    PRIVATE_FILE_MODE,
    create_file,
    read_file,
    replace_private_file,
)
from site_mirror.snapshot.integrity import Windows
from site_mirror.snapshot.spot_checks import SHARE_COUNT

STATE_FILE = ".checked"
MAX_WINDOWS = 8
"""Windows that are kept; each freeze that fails or only checks adds one."""
MAX_TICK_SECONDS = 3.0
"""Longest time to wait for the next tick of a file system's clock."""


class TargetState(Struct, frozen=True):
    """The state of the release with this name."""

    release: str = ""
    windows: Windows = ()
    share: int = 0


def read_target_state(target: Path, release: Path | None) -> TargetState:
    """Return the state of the current release; an empty one if it cannot be read."""
    try:
        members = orjson.loads(read_file(target, STATE_FILE))
        windows = tuple((int(start), int(end)) for start, end in members["windows"])
        state = TargetState(str(members["release"]), windows, int(members["share"]))
    except (OSError, ValueError, KeyError, TypeError):
        return TargetState()
    if release is None or state.release != release.name:
        return TargetState(share=state.share)
    return state


def write_target_state(target: Path, state: TargetState) -> None:
    """Write the state of the current release. Raises `OSError`."""
    replace_private_file(f"{target}/{STATE_FILE}", orjson.dumps(asdict(state)))


def trust_metadata(target: Path, release: Path, until: int | None = None) -> None:
    """Trust the metadata of a release, because all of its files were just written or checked.

    `until` is the time of an earlier check. Raises `OSError`.
    """
    windows = ((0, until or file_system_time(target)),)
    write_target_state(
        target, TargetState(release.name, windows, next_share(read_target_state(target, release)))
    )


def add_window(target: Path, release: Path, start: int) -> None:
    """Trust the changes of links that this program made since a time. Raises `OSError`."""
    state = read_target_state(target, release)
    windows = (
        *state.windows[:1],
        *state.windows[1:][2 - MAX_WINDOWS :],
        (start, file_system_time(target)),
    )
    write_target_state(target, TargetState(release.name, windows, next_share(state)))


def next_share(state: TargetState) -> int:
    return (state.share + 1) % SHARE_COUNT


def file_system_time(target: Path) -> int:
    """Return the time of the target's file system, later than that of all earlier changes.

    Such a clock ticks every few milliseconds, so this waits for the next tick.
    """
    path = f"{target}/{STATE_FILE}.now"
    descriptor = create_file(path, PRIVATE_FILE_MODE)
    try:
        first = last = os.fstat(descriptor).st_ctime_ns
        until = monotonic() + MAX_TICK_SECONDS
        while last == first and monotonic() < until:
            sleep(0.0005)
            os.fchmod(descriptor, PRIVATE_FILE_MODE)
            last = os.fstat(descriptor).st_ctime_ns
        return last
    finally:
        os.close(descriptor)
        Path(path).unlink()
