"""Times of the plain operations of a freeze, such as writing files, which limit its speed."""

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

FILES_PER_POST = 3
LINKS_PER_POST = 9
FOLDER_COUNT = 3
PAGE = b"x" * 6000
ROWS_PER_BATCH = 500

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """An operation and its seconds, one figure for each round."""

    name: str
    seconds: list[float]


def measure_costs(folder: Path, corpus: Corpus, posts: int, rounds: int) -> Iterator[Cost]:
    project = Project()
    project.prepare(folder, corpus, posts)
    rows = read_posts(project.database)
    work: dict[str, Callable[[], object]] = {
        "process with nothing to do": run_empty_process,
        f"read {posts:,} posts, plain SQLite": lambda: read_posts(project.database),
        f"pickle {posts:,} posts": lambda: pickle.dumps(rows, protocol=5),
        f"send {posts:,} posts to a worker and back": lambda: send_posts(rows),
        f"write {posts * FILES_PER_POST:,} files": lambda: write_files(
            folder, posts * FILES_PER_POST
        ),
        f"link {posts * LINKS_PER_POST:,} files": lambda: link_files(
            folder, posts * LINKS_PER_POST
        ),
        f"stat {posts * LINKS_PER_POST:,} files": lambda: stat_files(
            folder, posts * LINKS_PER_POST
        ),
    }
    with existing_files(folder, posts * LINKS_PER_POST):
        for name, operation in work.items():
            yield Cost(name, [time_work(operation, folder) for _ in range(rounds)])


def time_work(operation: Callable[[], object], folder: Path) -> float:
    started = time.perf_counter()
    operation()
    seconds = time.perf_counter() - started
    shutil.rmtree(folder / "created", ignore_errors=True)
    return seconds


def run_empty_process() -> None:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def read_posts(database: Path) -> list[Row]:
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT * FROM catalogue_post").fetchall()


def send_posts(rows: list[Row]) -> None:
    """Send every row to one worker and back, in batches."""
    batches = [
        rows[start : start + ROWS_PER_BATCH] for start in range(0, len(rows), ROWS_PER_BATCH)
    ]
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        for _ in pool.map(return_rows, batches):
            pass


def return_rows(rows: list[Row]) -> list[Row]:
    return rows


def file_paths(folder: Path, count: int) -> Iterator[Path]:
    yield from (
        folder / str(number % FOLDER_COUNT) / f"post-{number:07d}.html" for number in range(count)
    )


def write_files(folder: Path, count: int) -> None:
    make_folders(folder / "created")
    for name in file_paths(folder / "created", count):
        name.write_bytes(PAGE)


def link_files(folder: Path, count: int) -> None:
    make_folders(folder / "created")
    pairs = zip(
        file_paths(folder / "existing", count), file_paths(folder / "created", count), strict=True
    )
    for existing, link in pairs:
        os.link(existing, link)


def stat_files(folder: Path, count: int) -> None:
    for name in file_paths(folder / "existing", count):
        name.stat()


def make_folders(folder: Path) -> None:
    for number in range(FOLDER_COUNT):
        (folder / str(number)).mkdir(parents=True)


@contextmanager
def existing_files(folder: Path, count: int) -> Iterator[None]:
    """Create files to be linked and read, and remove them at the end."""
    make_folders(folder / "existing")
    for name in file_paths(folder / "existing", count):
        name.touch()
    yield
    shutil.rmtree(folder / "existing")


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
