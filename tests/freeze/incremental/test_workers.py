"""A site has the same bytes with any number of workers; a failed worker publishes nothing."""

from pathlib import Path

import pytest

from tests.freeze import processes
from tests.freeze.incremental import freezes, programs
from tests.freeze.incremental.programs import THIS_PROGRAM, Program

POSTS = 300
"""Enough posts for several batches, so that the command starts workers by default."""
EDITED = 200
ALL_NUMBERS = pytest.mark.exhaustive("freezes by the command with each number of workers")
ONE, TWO, MANY, DEFAULT = ("--jobs=1",), ("--jobs=2",), ("--jobs=5",), ()
"""No workers, one for each core, more than there are cores, and the default."""


@pytest.fixture(scope="module")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with a long blog. Copy it before you write."""
    file = tmp_path_factory.mktemp("database") / "blog.sqlite3"
    programs.fill_database(file, posts=POSTS)
    return file


@pytest.fixture(scope="module")
def single_process_target(blog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the long blog, built by one process. Copy it before you write."""
    target = tmp_path_factory.mktemp("single_process_target") / "site"
    THIS_PROGRAM.freeze(target, blog, *ONE)
    return target


@pytest.mark.exhaustive("freezes a long blog by the command with each number of workers")
@pytest.mark.parametrize("jobs", [TWO, MANY, DEFAULT], ids=str)
def test_a_long_blog_has_the_same_bytes_with_any_number_of_workers(
    jobs: tuple[str, ...], blog: Path, single_process_target: Path, tmp_path: Path
) -> None:
    THIS_PROGRAM.freeze(tmp_path / "site", blog, *jobs)

    assert freezes.find_differences(tmp_path / "site", single_process_target) == set()


@pytest.mark.parametrize(
    "jobs",
    [TWO, *(pytest.param(jobs, marks=ALL_NUMBERS) for jobs in (ONE, MANY))],
    ids=str,
)
def test_the_shipped_content_has_the_same_bytes_with_any_number_of_workers(
    jobs: tuple[str, ...], shipped_database: Path, shipped_target: Path, tmp_path: Path
) -> None:
    frozen = processes.freeze(
        tmp_path, *jobs, database=shipped_database, SOURCE_DATE_EPOCH="1767225600"
    )

    assert frozen.returncode == processes.PUBLISHED
    assert freezes.find_differences(tmp_path, shipped_target) == set()


FAULT_IN_WORKER = """
    import multiprocessing, os
    if multiprocessing.parent_process() and "Text {number}." in markdown:
        {what}
    return max(1, """
"""The code that makes a worker fail at a certain text."""

FAULTS = {
    "raise ValueError('a broken text')": "ValueError: a broken text",
    "os.kill(os.getpid(), 9)": "ended unexpectedly",
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return programs.copy_program(tmp_path / "program")


def break_a_worker(program: Program, what: str) -> None:
    happens = FAULT_IN_WORKER.format(number=EDITED, what=what).lstrip("\n").lstrip()
    program.replace("catalogue/texts/reading_time.py", "return max(1, ", happens)


@pytest.mark.exhaustive("breaks a worker of a copied program that freezes a long blog")
@pytest.mark.parametrize(("what", "message"), FAULTS.items(), ids=["raised", "killed"])
def test_a_failed_worker_publishes_nothing_and_the_next_freeze_succeeds(
    what: str,
    message: str,
    program: Program,
    blog: Path,
    single_process_target: Path,
    tmp_path: Path,
) -> None:
    target, database = (
        freezes.copy_target(single_process_target, tmp_path / "site"),
        processes.copy_database(blog, tmp_path),
    )
    with processes.open_database(database) as connection:
        connection.execute("UPDATE catalogue_post SET title_en = title_en || '!' WHERE id % 3 = 0")
    break_a_worker(program, what)

    failed = program.run(target, database, *TWO)

    assert (failed.returncode, message in failed.stderr) == (processes.FAILED, True)
    assert freezes.find_differences(target, single_process_target) == set()

    THIS_PROGRAM.freeze(target, database, *TWO)
    THIS_PROGRAM.freeze(tmp_path / "full", database, *ONE)
    assert freezes.find_differences(target, tmp_path / "full") == set()
    assert list_releases(target) == list_releases(single_process_target) | list_releases(
        tmp_path / "full"
    )


def list_releases(target: Path) -> set[str]:
    """Return the names of all entries in the folder of releases."""
    return {path.name for path in (target / "releases").iterdir()}
