"""The commands of `python -m benchmarks`: their arguments and their output."""

import json
import shutil
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import edits, freeze_report, machine, origin, profiling, raw
from benchmarks import soak as soaking
from benchmarks.contestants import MissingPeer, find_contestants
from benchmarks.edits import NeverServed
from benchmarks.freezing import Contest, measure_growth
from benchmarks.options import add_corpus_options, make_corpus, natural_number
from benchmarks.origin import ServerRefused
from benchmarks.running import CommandFailed
from benchmarks.soak import NotFlat
from benchmarks.tables import Table

TMPFS = Path("/dev/shm")  # noqa: S108  (in memory, so that the disk does not count)


def main(words: Sequence[str]) -> int:
    arguments = make_parser().parse_args(words)
    try:
        arguments.run(arguments)
    except (CommandFailed, MissingPeer, NeverServed, NotFlat, ServerRefused) as error:
        Console(stderr=True).print(str(error), markup=False)
        return 1
    return 0


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m benchmarks", description="How fast the project is.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_freeze(commands)
    add_origin(commands)
    add_profile(commands)
    add_raw(commands)
    add_soak(commands)
    return parser


def add_freeze(commands: Any) -> None:
    freeze = commands.add_parser("freeze", help="freezes of a corpus beside Hugo's")
    freeze.set_defaults(run=run_freeze)
    freeze.add_argument("--posts", type=natural_number, default=10_000)
    freeze.add_argument("--rounds", type=natural_number, default=5)
    freeze.add_argument(
        "--peers",
        default="hugo,hugo-compressed",
        help="hugo, hugo-compressed, hugo-debian, a checkout, or nothing",
    )
    freeze.add_argument(
        "--growth", type=natural_number, metavar="POSTS", help="freeze so many, too"
    )
    freeze.add_argument("--options", default="", help="more words for the project's freeze")
    freeze.add_argument(
        "--patience", type=float, default=20, help="seconds to wait for a quiet machine, each run"
    )
    freeze.add_argument("--disk", type=Path, help="folder for the output, instead of tmpfs")
    add_corpus_options(freeze)
    add_outputs(freeze)


def add_outputs(parser: ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="every figure, for programs")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the tables, for a page")


def add_origin(commands: Any) -> None:
    origin = commands.add_parser("origin", help="requests a second beside nginx, Caddy and DRF")
    origin.set_defaults(run=run_origin)
    origin.add_argument("--seconds", type=natural_number, default=5, help="of each load")
    origin.add_argument("--rounds", type=natural_number, default=3)
    origin.add_argument("--port", type=natural_number, default=9400, help="first of four")
    add_outputs(origin)


def add_profile(commands: Any) -> None:
    profile = commands.add_parser("profile", help="where a full freeze's time goes")
    profile.set_defaults(run=run_profile)
    profile.add_argument("--posts", type=natural_number, default=1000)
    profile.add_argument("--top", type=natural_number, default=25, help="functions that are listed")
    add_corpus_options(profile)
    add_outputs(profile)


def add_raw(commands: Any) -> None:
    raw = commands.add_parser("raw", help="the plain work under a freeze, without it")
    raw.set_defaults(run=run_raw)
    raw.add_argument("--posts", type=natural_number, default=10_000)
    raw.add_argument("--rounds", type=natural_number, default=5)
    raw.add_argument("--disk", type=Path, help="folder for the files, instead of tmpfs")
    add_corpus_options(raw)
    add_outputs(raw)


def add_soak(commands: Any) -> None:
    soak = commands.add_parser("soak", help="the memory of the live origin over many edits")
    soak.set_defaults(run=run_soak)
    soak.add_argument("--posts", type=natural_number, default=10_000)
    soak.add_argument("--edits", type=natural_number, default=500)
    soak.add_argument("--seconds", type=natural_number, default=900, help="of the whole load")
    soak.add_argument("--flat", type=float, default=soaking.MAX_GROWTH, help="share it may grow by")
    soak.add_argument("--port", type=natural_number, default=9410)
    add_outputs(soak)


def run_freeze(arguments: Namespace) -> None:
    peers = [peer for peer in arguments.peers.split(",") if peer]
    contestants = list(find_contestants(peers, tuple(arguments.options.split())))
    description = machine.describe_machine()
    with temporary_folders(arguments.disk) as (inputs, outputs):
        contest = Contest(
            make_corpus(arguments),
            arguments.posts,
            arguments.rounds,
            arguments.patience,
            inputs,
            outputs,
            print_progress,
        )
        results = contest.run(contestants)
        grown = (
            measure_growth(replace(contest, posts=arguments.growth), results[0])
            if arguments.growth
            else None
        )
    tables = freeze_report.tables(results, arguments.posts)
    if grown:
        tables.append(freeze_report.growth_table(results[0], arguments.posts, grown))
    note = (
        f"{machine.machine_sentence(description)}; {freeze_report.disturbance_sentence(results)}."
    )
    write_results(
        arguments, tables, note, freeze_report.members(results, arguments.posts, description, grown)
    )


def run_origin(arguments: Namespace) -> None:
    description = machine.describe_machine()
    with temporary_folders(None) as (folder, _):
        measured = origin.measure(
            folder, arguments.port, arguments.seconds, arguments.rounds, print_progress
        )
    tables = [origin.table(measured.rates, arguments.seconds), edits.table(measured.edits)]
    note = f"{machine.machine_sentence(description)}; {origin.server_versions()}."
    write_results(arguments, tables, note, origin.members(measured, description))


def run_profile(arguments: Namespace) -> None:
    with temporary_folders(None) as (inputs, outputs):
        project = profiling.prepare_project(inputs, make_corpus(arguments), arguments.posts)
        functions = profiling.read_functions(profiling.profile_freeze(project, outputs))
        imports = profiling.measure_imports(project)
    tables = [
        *(
            profiling.table(functions, by, arguments.top, arguments.posts)
            for by in profiling.ORDERS
        ),
        profiling.imports_table(imports, arguments.top),
    ]
    note = f"{machine.machine_sentence(machine.describe_machine())}."
    write_results(arguments, tables, note, profiling.members(functions, imports, arguments.posts))


def run_raw(arguments: Namespace) -> None:
    description = machine.describe_machine()
    with temporary_folders(arguments.disk) as (_, folder):
        costs = list(
            raw.measure_costs(folder, make_corpus(arguments), arguments.posts, arguments.rounds)
        )
    note = f"{machine.machine_sentence(description)}."
    write_results(
        arguments, [raw.table(costs, arguments.posts)], note, raw.members(costs, description)
    )


def run_soak(arguments: Namespace) -> None:
    description = machine.describe_machine()
    with temporary_folders(None) as (folder, _):
        measured = soaking.measure(
            folder,
            arguments.port,
            arguments.posts,
            arguments.edits,
            arguments.seconds,
            print_progress,
        )
    note = f"{machine.machine_sentence(description)}."
    write_results(
        arguments, [soaking.table(measured)], note, soaking.members(measured, description)
    )
    measured.refuse(arguments.flat)


@contextmanager
def temporary_folders(disk: Path | None) -> Iterator[tuple[Path, Path]]:
    """Create two folders, for inputs and for outputs, and remove them at the end."""
    memory = TMPFS if TMPFS.is_dir() else None
    inputs = Path(tempfile.mkdtemp(prefix="benchmarks-", dir=memory))
    outputs = Path(tempfile.mkdtemp(prefix="benchmarks-", dir=disk or memory))
    try:
        yield inputs, outputs
    finally:
        shutil.rmtree(inputs)
        shutil.rmtree(outputs)


def print_progress(line: str) -> None:
    """Print a line about the progress to standard error."""
    Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)


def write_results(
    arguments: Namespace, tables: Sequence[Table], note: str, members: dict[str, Any]
) -> None:
    console = Console(width=shutil.get_terminal_size((140, 50)).columns)
    for table in tables:
        table.show(console)
    console.print(note, markup=False, highlight=False)
    if arguments.json:
        arguments.json.write_text(json.dumps(members, indent=2) + "\n")
    if arguments.markdown:
        arguments.markdown.write_text(
            "\n".join((*(table.markdown() for table in tables), note, ""))
        )
