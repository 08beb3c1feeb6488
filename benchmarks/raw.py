"""What the machine asks for the plain work under a freeze: no freeze can be faster than these."""

import os
import pickle
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.contestants import Project
from benchmarks.corpus import Corpus
from benchmarks.tables import Table

FILES_A_POST = 3
LINKS_A_POST = 9
FOLDERS = 3
PAGE = b"x" * 6000
BATCH = 500

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """A piece of work, and its seconds, one figure a round."""

    name: str
    seconds: list[float]


def costs(folder: Path, corpus: Corpus, posts: int, rounds: int) -> Iterator[Cost]:
    project = Project()
    project.prepare(folder, corpus, posts)
    rows = read(project.database)
    work: dict[str, Callable[[], object]] = {
        "process with nothing to do": nothing,
        f"read {posts:,} posts, plain SQLite": lambda: read(project.database),
        f"pickle {posts:,} posts": lambda: pickle.dumps(rows, protocol=5),
        f"send {posts:,} posts to a worker and back": lambda: sent(rows),
        f"write {posts * FILES_A_POST:,} files": lambda: write(folder, posts * FILES_A_POST),
        f"link {posts * LINKS_A_POST:,} files": lambda: link(folder, posts * LINKS_A_POST),
        f"stat {posts * LINKS_A_POST:,} files": lambda: stat(folder, posts * LINKS_A_POST),
    }
    with files(folder, posts * LINKS_A_POST):
        for name, piece in work.items():
            yield Cost(name, [timed(piece, folder) for _ in range(rounds)])


def timed(piece: Callable[[], object], folder: Path) -> float:
    started = time.perf_counter()
    piece()
    seconds = time.perf_counter() - started
    shutil.rmtree(folder / "made", ignore_errors=True)
    return seconds


def nothing() -> None:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def read(database: Path) -> list[Row]:
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT * FROM catalogue_post").fetchall()


def sent(rows: list[Row]) -> None:
    """Every row to one worker and back, in batches."""
    batches = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        for _ in pool.map(echoed, batches):
            pass


def echoed(rows: list[Row]) -> list[Row]:
    return rows


def names(folder: Path, count: int) -> Iterator[Path]:
    yield from (
        folder / str(number % FOLDERS) / f"post-{number:07d}.html" for number in range(count)
    )


def write(folder: Path, count: int) -> None:
    make_folders(folder / "made")
    for name in names(folder / "made", count):
        name.write_bytes(PAGE)


def link(folder: Path, count: int) -> None:
    make_folders(folder / "made")
    pairs = zip(names(folder / "held", count), names(folder / "made", count), strict=True)
    for held, made in pairs:
        os.link(held, made)


def stat(folder: Path, count: int) -> None:
    for name in names(folder / "held", count):
        name.stat()


def make_folders(folder: Path) -> None:
    for number in range(FOLDERS):
        (folder / str(number)).mkdir(parents=True)


@contextmanager
def files(folder: Path, count: int) -> Iterator[None]:
    """Files that are there already, to be linked and looked at."""
    make_folders(folder / "held")
    for name in names(folder / "held", count):
        name.touch()
    yield
    shutil.rmtree(folder / "held")


def table(found: list[Cost], posts: int) -> Table:
    rows = [
        (
            cost.name,
            f"{median(cost.seconds):.3f}",
            f"{min(cost.seconds):.3f}",
            f"{min(cost.seconds) / posts * 1e6:.1f}",
        )
        for cost in found
    ]
    heads = ("", "median s", "least s", "least, µs a post")
    return Table("Plain work on this machine", heads, rows)


def members(found: list[Cost], machine: dict[str, Any]) -> dict[str, Any]:
    return {"machine": machine, "seconds": {cost.name: cost.seconds for cost in found}}
