"""A change of code, templates, labels, packages or settings changes the documents it affects.

A freeze into a release then gives the bytes of a freeze into an empty folder, and these differ from
those before the change. Any other setting changes no byte.
"""

import re
import shutil
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.freeze import processes, target_files

EPOCH = "1767225600"
PACKAGES = Path(sysconfig.get_paths()["purelib"])
Change = Callable[[Path], object]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A copy of the program, which a test can change."""
    folder = tmp_path / "program"
    for name in ("catalogue", "api", "site_mirror"):
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(processes.PROJECT / name, folder / name, ignore=unwanted)
    shutil.copy(processes.PROJECT / "manage.py", folder)
    return folder


def make_replacement(file: str, old: str, new: str) -> Change:
    """Return a change that replaces a text in a file; the file must have it."""

    def replace(program: Path) -> None:
        text = (program / file).read_text()
        if old not in text:
            raise LookupError(f"{file} does not say {old!r}.")
        (program / file).write_text(text.replace(old, new))

    return replace


def make_upgrade(package: str, file: str, old: str, new: str) -> Change:
    """Return a change that puts another version of a package beside the program."""

    def upgrade(program: Path) -> None:
        name = file.partition("/")[0]
        copy = shutil.copytree if (PACKAGES / name).is_dir() else shutil.copy
        copy(PACKAGES / name, program / name)
        known = next(PACKAGES.glob(f"{package}-*.dist-info"))
        shutil.copytree(known, program / f"{package}-99.0.dist-info")
        make_replacement(file, old, new)(program)

    return upgrade


def relabel(program: Path) -> None:
    """Change a label in the compiled messages."""
    folder = program / "site_mirror/locale/vi/LC_MESSAGES"
    with (folder / "django.po").open("rb") as file:
        labels = read_po(file)
    labels["Blog"].string = "Nhật ký"
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, labels)


PROGRAMS: dict[str, Change] = {
    "a page's template": make_replacement(
        "site_mirror/jinja2/page.html", "</body>", "<p>!</p></body>"
    ),
    "a label": relabel,
    "a rule of the content": make_replacement("catalogue/texts/reading_time.py", "= 220", "= 40"),
    "a header": make_replacement("api/headers.py", "max-age=300", "max-age=301"),
    "how files are compressed": make_replacement(
        "site_mirror/documents/encodings.py", "= 7, 5", "= 6, 5"
    ),
    "a package that compresses": make_upgrade(
        "brotli", "brotli.py", "quality=quality", "quality=0"
    ),
    "a package that renders": make_upgrade(
        "pygments", "pygments/formatters/html.py", "<span class=", "<span data-x class="
    ),
}


@pytest.mark.exhaustive("copies the program and freezes by the copy for each change")
@pytest.mark.parametrize("change", PROGRAMS.values(), ids=PROGRAMS)
def test_a_changed_program_publishes_the_bytes_of_a_full_freeze(
    change: Change, program: Path, target: Path, shipped_target: Path, shipped_database: Path
) -> None:
    change(program)

    expect_bytes_of_full_freeze(target, shipped_target, shipped_database, program)


def expect_bytes_of_full_freeze(
    target: Path, before: Path, database: Path, program: Path = processes.PROJECT, **changes: str
) -> None:
    full = target.with_name("full")
    for folder in (target, full):
        frozen = processes.freeze(
            folder, database=database, program=program, SOURCE_DATE_EPOCH=EPOCH, **changes
        )
        assert (frozen.returncode, frozen.stderr) == (processes.PUBLISHED, "")
    assert target_files.find_differences(full, before) != set()
    assert target_files.find_differences(full, target) == set()


@pytest.mark.exhaustive("copies the program and freezes by the copy")
def test_the_same_program_in_another_folder_publishes_nothing(
    program: Path, target: Path, shipped_database: Path
) -> None:
    frozen = processes.freeze(
        target, database=shipped_database, program=program, SOURCE_DATE_EPOCH=EPOCH
    )

    assert frozen.returncode == processes.UNCHANGED


ALL_SETTINGS = pytest.mark.exhaustive("freezes by the command with each setting")
SETTINGS = [
    ("SITE_ROOT", "https://other.example"),
    ("SITE_ROOT", "https://studio.example:8443"),
    ("SITE_ROOT", "http://studio.example"),
    ("TIME_ZONE", "America/St_Johns"),
    ("HSTS_SECONDS", "300"),
    ("HSTS_SUBDOMAINS", "0"),
]
WITHOUT_EFFECT = {
    "SECRET_KEY": "another secret " * 8,
    "ALLOWED_HOSTS": "studio.example,www.studio.example",
    "DEBUG": "1",
    "RATE_LIMIT": "0",
    "BEHIND_PROXY": "1",
    "CACHE_URL": "redis://127.0.0.1:1/0",
    "EMAIL_URL": "smtp://editors:secret@127.0.0.1:1",
    "EMAIL_FROM": "studio@studio.example",
    "LOG_FORMAT": "json",
    "ACCESS_LOG": "0",
    "RESPONSE_CACHE_MB": "0",
    "REQUIRE_SECOND_STEP": "1",
    "SNAPSHOT": "/srv/elsewhere/site",
    "PUBLISH_REQUEST": "/srv/elsewhere/request",
    "DEPLOY_COMMAND": "true",
}
"""Another value of each setting that has no effect on a release."""


def test_every_setting_is_in_a_table_of_this_module() -> None:
    text = (processes.PROJECT / "site_mirror/settings/__init__.py").read_text()
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', text)

    assert set(read) == {"DATABASE_URL", *dict(SETTINGS), *WITHOUT_EFFECT}


@pytest.mark.parametrize(
    ("name", "value"),
    [SETTINGS[0], *(pytest.param(*each, marks=ALL_SETTINGS) for each in SETTINGS[1:])],
)
def test_a_changed_setting_publishes_the_bytes_of_a_full_freeze(
    name: str, value: str, target: Path, shipped_target: Path, shipped_database: Path
) -> None:
    expect_bytes_of_full_freeze(target, shipped_target, shipped_database, **{name: value})


def test_settings_without_effect_on_documents_change_nothing(
    target: Path, shipped_target: Path, shipped_database: Path
) -> None:
    frozen = processes.freeze(
        target, database=shipped_database, SOURCE_DATE_EPOCH=EPOCH, **WITHOUT_EFFECT
    )

    assert frozen.returncode == processes.UNCHANGED
    assert target_files.find_differences(target, shipped_target) == set()
