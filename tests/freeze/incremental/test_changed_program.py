"""A change of code, templates, labels or packages changes the documents that it affects.

Each change is made in a copy of the program. An incremental freeze gives the bytes of a full one,
and they differ from those before the change.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.freeze import processes
from tests.freeze.incremental import freezes, programs
from tests.freeze.incremental.programs import Program, upgrade

Change = Callable[[Program], None]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return programs.copy_program(tmp_path / "program")


def make_replacement(file: str, old: str, new: str) -> Change:
    return lambda program: program.replace(file, old, new)


def make_upgrade(package: str, file: str, old: str, new: str) -> Change:
    return lambda program: upgrade(program, package, file, old, new)


def relabel(program: Program) -> None:
    """Change a label in the compiled messages."""
    folder = program.folder / "site_mirror/locale/vi/LC_MESSAGES"
    with (folder / "django.po").open("rb") as file:
        labels = read_po(file)
    labels["Blog"].string = "Nhật ký"
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, labels)


CHANGES: dict[str, Change] = {
    "a page's template": make_replacement(
        "site_mirror/jinja2/page.html", "</body>", "<p>!</p></body>"
    ),
    "a label": relabel,
    "a rule of the content": make_replacement("catalogue/texts/reading_time.py", "= 220", "= 40"),
    "a header": make_replacement("api/headers.py", "max-age=300", "max-age=301"),
    "how files are compressed": make_replacement(
        "site_mirror/documents/encodings.py",
        "BROTLI_QUALITY_OF_LONG_BODIES = 7",
        "BROTLI_QUALITY_OF_LONG_BODIES = 6",
    ),
    "a package that compresses": make_upgrade(
        "brotli", "brotli.py", "quality=quality", "quality=0"
    ),
    "a package that renders": make_upgrade(
        "pygments", "pygments/lexers/data.py", "Name.Tag", "String.Double"
    ),
}


@pytest.mark.exhaustive("copies the program and freezes by the copy for each change")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_program_publishes_the_bytes_of_a_full_freeze(
    change: Change, program: Program, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again, full = freezes.copy_target(before, tmp_path / "again"), tmp_path / "full"
    change(program)

    codes = program.freeze(again, small_database), program.freeze(full, small_database)

    assert codes == (processes.PUBLISHED, processes.PUBLISHED)
    assert freezes.find_differences(full, before) != set()
    assert freezes.find_differences(again, full) == set()


@pytest.mark.exhaustive("copies the program and freezes by the copy for each change")
def test_the_same_program_in_another_folder_publishes_nothing(
    program: Program, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copy_target(before, tmp_path / "again")

    assert program.freeze(again, small_database) == processes.UNCHANGED
