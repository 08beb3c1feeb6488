"""Whoever renders, a release has the same bytes, and one that fails publishes nothing."""

from pathlib import Path

import pytest

from tests.freeze import processes
from tests.freeze.incremental import freezes, programs
from tests.freeze.incremental.programs import PRESENT, Program

POSTS = 300
"""More than one process renders by itself, in several batches."""
EDITED = 200
ALONE, TWO, MANY, UNTOLD = ("--jobs=1",), ("--jobs=2",), ("--jobs=5",), ()
"""One process, one a core, more than there are cores, and as many as the command thinks fit."""


@pytest.fixture(scope="module")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a long blog. Copy it before you write."""
    file = tmp_path_factory.mktemp("database") / "blog.sqlite3"
    programs.fill(file, posts=POSTS)
    return file


@pytest.fixture(scope="module")
def alone(blog: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of it that one process has rendered. Copy it before you write."""
    target = tmp_path_factory.mktemp("alone") / "site"
    PRESENT.freeze(target, blog, *ALONE)
    return target


@pytest.mark.parametrize("crew", [TWO, MANY, UNTOLD], ids=str)
def test_a_long_blog_has_the_same_bytes_whoever_renders_it(
    crew: tuple[str, ...], blog: Path, alone: Path, tmp_path: Path
) -> None:
    PRESENT.freeze(tmp_path / "site", blog, *crew)

    assert freezes.differences(tmp_path / "site", alone) == set()


@pytest.mark.parametrize("crew", [ALONE, TWO, MANY], ids=str)
def test_the_shipped_content_has_the_same_bytes_whoever_renders_it(
    crew: tuple[str, ...], shipped_database: Path, shipped_target: Path, tmp_path: Path
) -> None:
    frozen = processes.freeze(
        tmp_path, *crew, database=shipped_database, SOURCE_DATE_EPOCH="1767225600"
    )

    assert frozen.returncode == processes.PUBLISHED
    assert freezes.differences(tmp_path, shipped_target) == set()


HAPPENS = """
    import multiprocessing, os
    if multiprocessing.parent_process() and "Text {number}." in markdown:
        {what}
    return max(1, """
"""What a process that renders for another one does at a certain text."""

FAULTS = {
    "raise ValueError('a broken text')": "ValueError: a broken text",
    "os.kill(os.getpid(), 9)": "has ended by itself",
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return programs.copied(tmp_path / "program")


def break_a_process(program: Program, what: str) -> None:
    happens = HAPPENS.format(number=EDITED, what=what).lstrip("\n").lstrip()
    program.replace("catalogue/reading_time.py", "return max(1, ", happens)


@pytest.mark.parametrize(("what", "told"), FAULTS.items(), ids=["raised", "killed"])
def test_what_fails_in_a_process_publishes_nothing_and_the_next_freeze_goes_on(
    what: str, told: str, program: Program, blog: Path, alone: Path, tmp_path: Path
) -> None:
    target, database = freezes.copied(alone, tmp_path / "site"), processes.copied(blog, tmp_path)
    with processes.edited(database) as connection:
        connection.execute("UPDATE catalogue_post SET title_en = title_en || '!' WHERE id % 3 = 0")
    break_a_process(program, what)

    failed = program.run(target, database, *TWO)

    assert (failed.returncode, told in failed.stderr) == (processes.FAILED, True)
    assert freezes.differences(target, alone) == set()

    PRESENT.freeze(target, database, *TWO)
    PRESENT.freeze(tmp_path / "full", database, *ALONE)
    assert freezes.differences(target, tmp_path / "full") == set()
    assert releases(target) == releases(alone) | releases(tmp_path / "full")


def releases(target: Path) -> set[str]:
    """Whatever lies beside the releases, too."""
    return {path.name for path in (target / "releases").iterdir()}
