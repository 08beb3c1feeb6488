"""The commands: arguments in, tables out."""

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
from benchmarks.contestants import MissingPeer, contestants
from benchmarks.edits import NeverServed
from benchmarks.freezing import Contest, growth
from benchmarks.options import add_corpus, corpus_of, natural
from benchmarks.origin import Refused
from benchmarks.running import Failed
from benchmarks.soak import NotFlat
from benchmarks.tables import Table

TMPFS = Path("/dev/shm")  # noqa: S108  (the machine's memory, where disks do not count)


def main(words: Sequence[str]) -> int:
    given = parser().parse_args(words)
    try:
        given.run(given)
    except (Failed, MissingPeer, NeverServed, NotFlat, Refused) as error:
        Console(stderr=True).print(str(error), markup=False)
        return 1
    return 0


def parser() -> ArgumentParser:
    found = ArgumentParser(prog="python -m benchmarks", description="How fast the project is.")
    commands = found.add_subparsers(required=True, metavar="COMMAND")
    add_freeze(commands)
    add_origin(commands)
    add_profile(commands)
    add_raw(commands)
    add_soak(commands)
    return found


def add_freeze(commands: Any) -> None:
    freeze = commands.add_parser("freeze", help="freezes of a corpus beside Hugo's")
    freeze.set_defaults(run=run_freeze)
    freeze.add_argument("--posts", type=natural, default=10_000)
    freeze.add_argument("--rounds", type=natural, default=5)
    freeze.add_argument(
        "--peers", default="hugo,hugo-debian", help="hugo, hugo-debian, a checkout, or nothing"
    )
    freeze.add_argument("--growth", type=natural, metavar="POSTS", help="freeze so many, too")
    freeze.add_argument("--options", default="", help="more words for the project's freeze")
    freeze.add_argument(
        "--patience", type=float, default=20, help="seconds to wait for a quiet machine, each run"
    )
    freeze.add_argument("--disk", type=Path, help="folder for the output, instead of tmpfs")
    add_corpus(freeze)
    add_outputs(freeze)


def add_outputs(parser: ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="every figure, for programs")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the tables, for a page")


def add_origin(commands: Any) -> None:
    origin = commands.add_parser("origin", help="requests a second beside nginx, Caddy and DRF")
    origin.set_defaults(run=run_origin)
    origin.add_argument("--seconds", type=natural, default=5, help="of each load")
    origin.add_argument("--rounds", type=natural, default=3)
    origin.add_argument("--port", type=natural, default=9400, help="first of four")
    add_outputs(origin)


def add_profile(commands: Any) -> None:
    profile = commands.add_parser("profile", help="where a full freeze's time goes")
    profile.set_defaults(run=run_profile)
    profile.add_argument("--posts", type=natural, default=1000)
    profile.add_argument("--top", type=natural, default=25, help="functions that are listed")
    add_corpus(profile)
    add_outputs(profile)


def add_raw(commands: Any) -> None:
    raw = commands.add_parser("raw", help="the plain work under a freeze, without it")
    raw.set_defaults(run=run_raw)
    raw.add_argument("--posts", type=natural, default=10_000)
    raw.add_argument("--rounds", type=natural, default=5)
    raw.add_argument("--disk", type=Path, help="folder for the files, instead of tmpfs")
    add_corpus(raw)
    add_outputs(raw)


def add_soak(commands: Any) -> None:
    soak = commands.add_parser("soak", help="the memory of the live origin over many edits")
    soak.set_defaults(run=run_soak)
    soak.add_argument("--posts", type=natural, default=10_000)
    soak.add_argument("--edits", type=natural, default=500)
    soak.add_argument("--seconds", type=natural, default=900, help="of the whole load")
    soak.add_argument("--flat", type=float, default=soaking.FLAT, help="share it may grow by")
    soak.add_argument("--port", type=natural, default=9410)
    add_outputs(soak)


def run_freeze(given: Namespace) -> None:
    peers = [peer for peer in given.peers.split(",") if peer]
    racers = list(contestants(peers, tuple(given.options.split())))
    found = machine.described()
    with folders(given.disk) as (inputs, outputs):
        contest = Contest(
            corpus_of(given), given.posts, given.rounds, given.patience, inputs, outputs, say
        )
        results = contest.hold(racers)
        grown = growth(replace(contest, posts=given.growth), results[0]) if given.growth else None
    tables = freeze_report.tables(results, given.posts)
    if grown:
        tables.append(freeze_report.growth_table(results[0], given.posts, grown))
    note = f"{machine.in_words(found)}; {freeze_report.disturbance(results)}."
    hand_over(given, tables, note, freeze_report.members(results, given.posts, found, grown))


def run_origin(given: Namespace) -> None:
    found = machine.described()
    with folders(None) as (folder, _):
        measured = origin.measure(folder, given.port, given.seconds, given.rounds, say)
    tables = [origin.table(measured.rates, given.seconds), edits.table(measured.edits)]
    note = f"{machine.in_words(found)}; {origin.versions()}."
    hand_over(given, tables, note, origin.members(measured, found))


def run_profile(given: Namespace) -> None:
    with folders(None) as (inputs, outputs):
        project = profiling.prepared(inputs, corpus_of(given), given.posts)
        functions = profiling.functions(profiling.profiled(project, outputs))
        imports = profiling.imports(project)
    tables = [
        *(profiling.table(functions, by, given.top, given.posts) for by in profiling.ORDERS),
        profiling.imports_table(imports, given.top),
    ]
    note = f"{machine.in_words(machine.described())}."
    hand_over(given, tables, note, profiling.members(functions, imports, given.posts))


def run_raw(given: Namespace) -> None:
    found = machine.described()
    with folders(given.disk) as (_, folder):
        costs = list(raw.costs(folder, corpus_of(given), given.posts, given.rounds))
    note = f"{machine.in_words(found)}."
    hand_over(given, [raw.table(costs, given.posts)], note, raw.members(costs, found))


def run_soak(given: Namespace) -> None:
    found = machine.described()
    with folders(None) as (folder, _):
        measured = soaking.measure(folder, given.port, given.posts, given.edits, given.seconds, say)
    note = f"{machine.in_words(found)}."
    hand_over(given, [soaking.table(measured)], note, soaking.members(measured, found))
    measured.refuse(given.flat)


@contextmanager
def folders(disk: Path | None) -> Iterator[tuple[Path, Path]]:
    """Two folders for inputs and outputs, gone afterwards."""
    memory = TMPFS if TMPFS.is_dir() else None
    inputs = Path(tempfile.mkdtemp(prefix="benchmarks-", dir=memory))
    outputs = Path(tempfile.mkdtemp(prefix="benchmarks-", dir=disk or memory))
    try:
        yield inputs, outputs
    finally:
        shutil.rmtree(inputs)
        shutil.rmtree(outputs)


def say(line: str) -> None:
    """Progress, beside the results."""
    Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)


def hand_over(
    given: Namespace, tables: Sequence[Table], note: str, members: dict[str, Any]
) -> None:
    console = Console(width=shutil.get_terminal_size((140, 50)).columns)
    for table in tables:
        table.show(console)
    console.print(note, markup=False, highlight=False)
    if given.json:
        given.json.write_text(json.dumps(members, indent=2) + "\n")
    if given.markdown:
        given.markdown.write_text("\n".join((*(table.markdown() for table in tables), note, "")))
