"""Copies of the program, whose files and packages a test can change."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.freeze import processes

PACKAGES = ("catalogue", "api", "site_mirror")
FILL = """
import os, django
django.setup()
from django.core.management import call_command
from django.db import connection
from tests.freeze.incremental import corpus
call_command("migrate", verbosity=0)
corpus.make_site()
corpus.make_blog(int(os.environ["POSTS"]))
connection.close()
"""
FREEZE = ("--json", "--as-of", "2030-01-01T00:00:00Z")
EPOCH = "1893456000"


@dataclass(frozen=True)
class Program:
    """A folder with the project, and its Python interpreter."""

    folder: Path
    python: Path

    def freeze(self, target: Path, database: Path, *options: str, **settings: str) -> int:
        """Freeze and return the exit code; raise an error with the output if it failed."""
        done = self.run(target, database, *options, **settings)
        if done.returncode not in (processes.PUBLISHED, processes.UNCHANGED):
            raise RuntimeError(done.stdout + done.stderr)
        return done.returncode

    def run(
        self, target: Path, database: Path, *options: str, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.python, "-B", "manage.py", "freeze", str(target), *FREEZE, *options],
            cwd=self.folder,
            env=processes.environment(database, **{"SOURCE_DATE_EPOCH": EPOCH} | settings),
            capture_output=True,
            text=True,
            check=False,
        )

    def replace(self, file: str, old: str, new: str) -> None:
        """Replace every occurrence of a text in a file; there must be one."""
        path = self.folder / file
        text = path.read_text()
        if old not in text:
            raise LookupError(f"{file} does not say {old!r}.")
        path.write_text(text.replace(old, new))

    @property
    def packages(self) -> Path:
        return next(self.python.parent.parent.glob("lib/python*/site-packages"))


THIS_PROGRAM = Program(processes.PROJECT, Path(sys.executable))
"""The program of this checkout."""


def copy_program(folder: Path) -> Program:
    """Copy the packages of the project, and link those of the environment."""
    for name in PACKAGES:
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(processes.PROJECT / name, folder / name, ignore=unwanted)
    shutil.copy(processes.PROJECT / "manage.py", folder)
    venv.create(folder / "python", symlinks=True, with_pip=False)
    program = Program(folder, folder / "python/bin/python")
    for each in Path(sysconfig.get_paths()["purelib"]).iterdir():
        (program.packages / each.name).symlink_to(each)
    return program


def upgrade(program: Program, package: str, file: str, old: str, new: str) -> None:
    """Replace a text in a file of a package, and give the package another version."""
    place = program.packages / file.partition("/")[0]
    original = place.resolve()
    place.unlink()
    if original.is_dir():
        shutil.copytree(original, place, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(original, place)
    program.replace(str((program.packages / file).relative_to(program.folder)), old, new)
    known = next(program.packages.glob(f"{package}-*.dist-info"))
    known.rename(known.with_name(f"{package}-99.0.dist-info"))


def fill_database(database: Path, *, posts: int = 0) -> None:
    """Write the small site and a number of more posts to a database file."""
    done = processes.run("-c", FILL, database=database, POSTS=str(posts))
    if done.returncode:
        raise RuntimeError(done.stderr)
