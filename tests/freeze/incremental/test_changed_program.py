"""What documents are made by is among what they are made of: code, templates, labels, packages.

Each change is made in a copy of the program. A freeze beside the release of before gives what a
freeze into an empty folder gives, and it is not what was.
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
    return programs.copied(tmp_path / "program")


def replacing(file: str, old: str, new: str) -> Change:
    return lambda program: program.replace(file, old, new)


def upgrading(package: str, file: str, old: str, new: str) -> Change:
    return lambda program: upgrade(program, package, file, old, new)


def relabel(program: Program) -> None:
    """Another word in the compiled catalogue of labels."""
    folder = program.folder / "site_mirror/locale/vi/LC_MESSAGES"
    with (folder / "django.po").open("rb") as file:
        labels = read_po(file)
    labels["Blog"].string = "Nhật ký"
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, labels)


CHANGES: dict[str, Change] = {
    "a page's template": replacing("site_mirror/jinja2/page.html", "</body>", "<p>!</p></body>"),
    "a block's template": replacing("site_mirror/jinja2/blocks/cards.html", "<", "\n<"),
    "a label": relabel,
    "a style": replacing("site_mirror/assets/site.css", ":root {", ":root { --new: 1;"),
    "a rule of the content": replacing("catalogue/reading_time.py", "= 220", "= 40"),
    "a text of the contract": replacing("api/contract.py", "A public, ", "An open, "),
    "a header": replacing("api/headers.py", "max-age=300", "max-age=301"),
    "a page's composition": replacing("site_mirror/pages/blog.py", '_("By year")', '_("Blog")'),
    "a machine-readable file": replacing(
        "site_mirror/machine/robots.py", "search=yes", "search=no"
    ),
    "how files are compressed": replacing(
        "site_mirror/encodings.py",
        "BROTLI_QUALITY_OF_LONG_BODIES = 7",
        "BROTLI_QUALITY_OF_LONG_BODIES = 6",
    ),
    "a package that compresses": upgrading("brotli", "brotli.py", "quality=quality", "quality=0"),
    "a package that renders": upgrading(
        "pygments", "pygments/lexers/data.py", "Name.Tag", "String.Double"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_program_publishes_what_it_would_have_published_first(
    change: Change, program: Program, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again, full = freezes.copied(before, tmp_path / "again"), tmp_path / "full"
    change(program)

    codes = program.freeze(again, small_database), program.freeze(full, small_database)

    assert codes == (processes.PUBLISHED, processes.PUBLISHED)
    assert freezes.differences(full, before) != set()
    assert freezes.differences(again, full) == set()


def test_the_same_program_in_another_place_publishes_nothing_anew(
    program: Program, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copied(before, tmp_path / "again")

    assert program.freeze(again, small_database) == processes.UNCHANGED


@pytest.mark.parametrize("folder", ["static", "admin", "management", "migrations"])
def test_a_changed_program_is_noticed_wherever_it_lies(
    folder: str, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copied(before, tmp_path / "again")
    program = programs.copied(tmp_path / folder / "program")
    program.freeze(again, small_database)
    program.replace("site_mirror/jinja2/page.html", "</body>", "<p>!</p></body>")

    assert program.freeze(again, small_database) == processes.PUBLISHED
