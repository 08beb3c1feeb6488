"""Runs of commands, with their time and the memory of their processes."""

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

MAX_RUN_SECONDS = 3600
"""Time after which a command is stopped."""
IDLE_SAMPLE_SECONDS = 0.5
"""Time over which the load is measured before a run."""
MAX_BUSY_SHARE = 0.1
"""Share of the cores that may be busy before a run."""
MAX_CORES_OF_OTHERS = 0.25
"""Cores that other processes may use during a calm run."""
MEMORY_SAMPLE_SECONDS = 0.02
"""Time between two measurements of the memory."""


class CommandFailed(RuntimeError):
    """A command ended with an exit code that is not accepted."""

    def __init__(self, command: "Command", code: int, output: str) -> None:
        super().__init__(f"{' '.join(command.words)} ended with {code}:\n{output.strip()}")


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its folder and environment; `accepted` are the exit codes of success."""

    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    accepted: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `load` is the machine's before it.

    `cpu` is the processor time of all its processes, and `others` that of other processes during
    the run. `peak` is in bytes, for all processes together, and 0 if it was not measured.
    """

    seconds: float
    cpu: float
    load: float
    others: float
    peak: int = 0

    @property
    def calm(self) -> bool:
        """Whether other processes used few cores during the run."""
        return self.others <= MAX_CORES_OF_OTHERS * self.seconds


def run_command(command: Command, *, memory: bool = False) -> Run:
    """Run a command to its exit. Raises `CommandFailed`.

    A run measures either its time or its memory, because measuring memory slows a command down.
    """
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile("w+") as output:
        busy = busy_seconds()
        started = time.perf_counter()
        process = start_command(command, output.fileno())
        with stop_after_limit(process):
            sampled = measure_peak(process.pid) if memory else 0
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        busy = busy_seconds() - busy
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode not in command.accepted:
            raise CommandFailed(command, process.returncode, output.read())
    peak = max(sampled, usage.ru_maxrss * 1024) if memory else 0
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, cpu, load, max(0.0, busy - cpu), peak)


@contextmanager
def stop_after_limit(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Stop a command that takes too long, or whose block ends with an exception."""

    def stop() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    timer = Timer(MAX_RUN_SECONDS, stop)
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
    """Return the seconds for which the cores were not idle since the machine started (proc(5))."""
    first = Path("/proc/stat").read_text().partition("\n")[0].split()
    user, nice, system, _idle, _waiting, *interrupts = map(int, first[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def wait_until_quiet(patience: float) -> None:
    """Wait until most cores are idle, at most `patience` seconds."""
    until = time.monotonic() + patience
    cores = os.cpu_count() or 1
    while time.monotonic() < until:
        busy = busy_seconds()
        time.sleep(IDLE_SAMPLE_SECONDS)
        if busy_seconds() - busy < MAX_BUSY_SHARE * cores * IDLE_SAMPLE_SECONDS:
            return


def start_command(command: Command, output: int) -> subprocess.Popen[bytes]:
    """Start a command in a new session, so that all its processes can be stopped."""
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
    """Return the variables of this process that every command needs."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}


def measure_peak(process: int) -> int:
    """Return the peak memory in bytes of a process and its descendants, until it ends.

    It is the proportional set size, so that memory which forked workers share is counted once. The
    peak of the kernel (`ru_maxrss`) is only that of the largest process, and a control group counts
    the files on a tmpfs, too.
    """
    peak = 0
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        peak = max(peak, sum(proportional_size(member) for member in process_tree(process)))
        time.sleep(MEMORY_SAMPLE_SECONDS)
    return peak


def process_tree(process: int) -> Iterator[int]:
    """Yield a process and its descendants, except those that end meanwhile."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            identifiers = children.read_text().split()
        except OSError:
            continue
        for child in identifiers:
            yield from process_tree(int(child))


def proportional_size(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    sizes = (line.split()[1] for line in text.splitlines() if line.startswith("Pss:"))
    return sum(map(int, sizes)) * 1024
