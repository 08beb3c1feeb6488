"""Runs of commands, with their time and the memory of their processes."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

MEMORY_SAMPLE_SECONDS = 0.02
"""Time between two measurements of the memory."""


class CommandFailed(RuntimeError):
    """A command ended with an exit code that is not accepted."""


class MissingProgram(RuntimeError):
    """A program to compare with is not installed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its folder and environment; `accepted` are the exit codes of success."""

    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    accepted: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Run:
    """The wall time of a run, and the processor time and peak memory of all its processes."""

    seconds: float
    cpu: float
    peak: int = 0


def run_command(command: Command, *, memory: bool = False) -> Run:
    """Run a command to its exit. Raises `CommandFailed`.

    A run measures either its time or its memory, because measuring memory slows a command down.
    """
    with tempfile.TemporaryFile("w+") as output, started(command, output.fileno()) as process:
        begun = time.perf_counter()
        peak = measure_peak(process.pid) if memory else 0
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in command.accepted:
            output.seek(0)
            said = f"{' '.join(command.words)} ended with {process.returncode}:\n{output.read()}"
            raise CommandFailed(said)
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak)


@contextmanager
def started(command: Command, output: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command in a session of its own, which ends with the block."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process = subprocess.Popen(  # noqa: S603  (the words are this package's own)
        command.words,
        cwd=command.folder,
        env=kept | dict(command.environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        if process.returncode is None:
            process.wait(timeout=60)


def measure_peak(process: int) -> int:
    """Return the peak memory in bytes of a process and its descendants, until it ends.

    It is the proportional set size, so that memory which forked workers share is counted once. The
    peak of the kernel (`ru_maxrss`) is only that of the largest process.
    """
    peak = 0
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        peak = max(peak, sum(map(proportional_size, process_tree(process))))
        time.sleep(MEMORY_SAMPLE_SECONDS)
    return peak


def process_tree(process: int) -> Iterator[int]:
    """Yield a process and its descendants, except those that end meanwhile."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                yield from process_tree(int(child))


def proportional_size(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def find_program(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        package = {"ab": "apache2-utils"}.get(program, program)
        raise MissingProgram(f"{program} is missing: apt-get install {package}.")
    return found


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table; all columns but the first have figures."""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return ["| " + " | ".join(cells) + " |" for cells in (heads, rule, *rows)]


def quotient(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.3f}"
