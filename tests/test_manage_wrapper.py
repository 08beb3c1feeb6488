"""`bin/manage` finds the settings of the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.freeze.processes import PROJECT

PROGRAM = """
import os, sys
print(os.environ["SITE_ROOT"], len(os.environ["SECRET_KEY"]) > 20)
sys.exit(2 * ("freeze" in sys.argv))
"""
"""A program in place of `manage.py`, which prints what it is given."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with its own environment and folder `var`."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/manage").write_text((PROJECT / "bin/manage").read_text())
    (tmp_path / "bin/manage").chmod(0o755)
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    (tmp_path / "var").mkdir()
    (tmp_path / "var/secret-key").write_text("a key for this test alone, long enough\n")
    return tmp_path


def run_manage(
    project: Path, *words: str, where: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(project / "bin/manage"), *words],
        cwd=where or project,
        env={"PATH": os.environ["PATH"], "ENVIRONMENT_FILE": "/nowhere"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def read_origin(project: Path, where: Path | None = None, **variables: str) -> str:
    (project / "manage.py").write_text(PROGRAM)
    ended = run_manage(project, "check", where=where, **variables)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_settings_are_those_of_make_run_of_the_environment_or_of_a_file(
    project: Path, tmp_path: Path
) -> None:
    file = tmp_path / "environment"
    file.write_text("SECRET_KEY=another-key-of-this-test-0123456789\nSITE_ROOT=https://b.example\n")

    assert read_origin(project, where=Path("/")) == "http://127.0.0.1:8000 True\n"
    assert read_origin(project, PORT="9000") == "http://127.0.0.1:9000 True\n"
    assert read_origin(project, SITE_ROOT="https://a.example") == "https://a.example True\n"
    assert read_origin(project, ENVIRONMENT_FILE=str(file)) == "https://b.example True\n"
    assert run_manage(project, "freeze").returncode == 2


def test_a_line_of_the_environment_file_has_the_value_that_systemd_reads(
    project: Path, tmp_path: Path
) -> None:
    """The systemd unit of the live origin also reads this file; a shell would run parts of it."""
    value = "a-key-of-this-test://studio:$p;w@127.0.0.1/studio?c=1&application_name=a b#c"
    (project / "manage.py").write_text("import os; print(os.environ['SECRET_KEY'])\n")
    for written in (value, f'"{value}"', f"'{value}'", f"{value}\n# A comment\n; another\n\nX=1"):
        file = tmp_path / "environment"
        file.write_text(f"HSTS_SECONDS=60\nSECRET_KEY={written}")
        variables = {"ENVIRONMENT_FILE": str(file), "SITE_ROOT": "https://b.example"}

        ended = run_manage(project, "check", **variables)

        assert (ended.stdout, ended.returncode) == (f"{value}\n", 0), ended.stderr
