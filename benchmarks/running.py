"""Runs a command to its exit: how long it took, and how much memory its processes had."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

LIMIT = 3600
"""Seconds after which a command is stopped."""
LOOK = 0.5
"""Seconds over which the machine is looked at before a run."""
QUIET = 0.1
"""Share of the machine that may be busy then."""
DISTURBANCE = 0.25
"""Cores that others may use during a calm run."""
SAMPLE = 0.02
"""Seconds between two looks at the memory."""


class Failed(RuntimeError):
    """A command ended with a code that is none of its good ones."""

    def __init__(self, command: "Command", code: int, said: str) -> None:
        super().__init__(f"{' '.join(command.words)} ended with {code}:\n{said.strip()}")


@dataclass(frozen=True, slots=True)
class Command:
    """Words and where they run; `accepted` are the exit codes of success."""

    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    accepted: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `load` is the machine's before it.

    `cpu` are processor seconds of all its processes, and `others` of everyone else meanwhile.
    `peak` is in bytes, of all processes together, and 0 where it was not looked at.
    """

    seconds: float
    cpu: float
    load: float
    others: float
    peak: int = 0

    @property
    def calm(self) -> bool:
        """Whether others left the machine alone meanwhile."""
        return self.others <= DISTURBANCE * self.seconds


def run(command: Command, *, memory: bool = False) -> Run:
    """Run a command to its exit. Raises `Failed`.

    Looking at the memory slows a command down, so a run is for its time or for its memory.
    """
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile("w+") as said:
        busy = busy_seconds()
        started = time.perf_counter()
        process = start(command, said.fileno())
        with stopped_in_time(process):
            sampled = highest(process.pid) if memory else 0
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        busy = busy_seconds() - busy
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if process.returncode not in command.accepted:
            raise Failed(command, process.returncode, said.read())
    peak = max(sampled, usage.ru_maxrss * 1024) if memory else 0
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, cpu, load, max(0.0, busy - cpu), peak)


@contextmanager
def stopped_in_time(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Stop a command that takes too long, and one that nobody waits for any more."""

    def stop() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    timer = Timer(LIMIT, stop)
    timer.start()
    try:
        yield
    except BaseException:
        stop()
        process.wait()
        raise
    finally:
        timer.cancel()


def busy_seconds() -> float:
    """Processor seconds that all cores were not idle, since the machine started (proc(5))."""
    first = Path("/proc/stat").read_text().partition("\n")[0].split()
    user, nice, system, _idle, _waiting, *interrupts = map(int, first[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def settle(patience: float) -> None:
    """Wait until most of the machine is idle, at most so many seconds."""
    until = time.monotonic() + patience
    cores = os.cpu_count() or 1
    while time.monotonic() < until:
        busy = busy_seconds()
        time.sleep(LOOK)
        if busy_seconds() - busy < QUIET * cores * LOOK:
            return


def start(command: Command, output: int) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, so that all of it can be stopped."""
    return subprocess.Popen(  # noqa: S603  (the words are this package's own)
        command.words,
        cwd=command.folder,
        env=base_environment() | dict(command.environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def base_environment() -> dict[str, str]:
    """Nothing of this process but where programs and homes are."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}


def highest(process: int) -> int:
    """Bytes that a process and its descendants had together at most, until it ended.

    Proportional set size: memory that forked workers share is counted once. The kernel's own
    peak (`ru_maxrss`) knows of the largest process alone, and a control group counts the files
    on a tmpfs too.
    """
    peak = 0
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        peak = max(peak, sum(proportional_size(member) for member in family(process)))
        time.sleep(SAMPLE)
    return peak


def family(process: int) -> Iterator[int]:
    """A process and its descendants; whoever ends meanwhile is left out."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in found:
            yield from family(int(child))


def proportional_size(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    sizes = (line.split()[1] for line in text.splitlines() if line.startswith("Pss:"))
    return sum(map(int, sizes)) * 1024
