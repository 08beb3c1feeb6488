"""`python -m benchmarks COMMAND`: see docs/performance.md."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import freezing, origin
from benchmarks.running import CommandFailed, MissingProgram

TMPFS = Path("/dev/shm")  # noqa: S108  (in memory, so that the disk does not count)


def main(words: list[str]) -> int:
    parser = ArgumentParser(prog="python -m benchmarks", description="How fast the project is.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    freeze = commands.add_parser("freeze", help="freezes of a corpus beside Hugo's")
    freeze.add_argument(
        "--posts", type=int, default=10_000, help="0: the shipped content alone, without Hugo"
    )
    freeze.add_argument("--rounds", type=int, default=3)
    freeze.add_argument("--alone", action="store_true", help="without Hugo")
    freeze.add_argument("--beside", metavar="REVISION", help="an earlier revision, in turn")
    load = commands.add_parser("origin", help="requests a second of the live origin beside nginx")
    load.add_argument("--seconds", type=int, default=2, help="of each load")
    load.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args(words)
    note = f"{describe_machine()}, load {os.getloadavg()[0]:.2f} at the start."
    try:
        with temporary_folder() as folder:
            if arguments.command == "freeze":
                with earlier_checkout(arguments.beside, folder) as earlier:
                    lines = freezing.measure(
                        folder,
                        arguments.posts,
                        arguments.rounds,
                        beside_hugo=arguments.posts > 0 and not arguments.alone,
                        earlier=earlier,
                    )
            else:
                lines = origin.measure(folder, arguments.seconds, arguments.rounds)
    except (CommandFailed, MissingProgram) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("\n".join((*lines, "", note, "")))
    return 0


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(
        prefix="benchmarks-", dir=TMPFS if TMPFS.is_dir() else None
    ) as folder:
        yield Path(folder)


@contextmanager
def earlier_checkout(revision: str | None, folder: Path) -> Iterator[Path | None]:
    """A Git worktree of an earlier revision, whose own commands are measured."""
    if revision is None:
        yield None
        return
    git = shutil.which("git") or "git"
    checkout = folder / "earlier"
    words = [git, "worktree", "add", "--quiet", "--detach", str(checkout), revision]
    if subprocess.run(words, check=False).returncode:  # noqa: S603
        raise MissingProgram(f"{revision!r} is not a revision of this Git repository.")
    try:
        yield checkout
    finally:
        subprocess.run([git, "worktree", "remove", "--force", str(checkout)], check=True)  # noqa: S603


def describe_machine() -> str:
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores of {model}, Python {platform.python_version()}"


if __name__ == "__main__":
    # SIGTERM raises KeyboardInterrupt, so that a benchmark removes its folders and processes.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
