"""Static files that were not collected are reported by a check and at the start of the origin."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from site_mirror.checks import STATIC_FILES_WARNING, static_files_are_collected
from tests.freeze import processes

START = "from django.conf import settings; settings.STATIC_ROOT = '{}'; import site_mirror.wsgi"


@pytest.fixture(autouse=True)
def static_folder(settings: Settings, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    return tmp_path


def test_a_missing_static_file_is_named_with_the_command_to_run(static_folder: Path) -> None:
    call_command("collectstatic", "--no-input", "--verbosity", "0")
    assert static_files_are_collected(None) == []

    (static_folder / "desk/desk.css").unlink()
    [found] = static_files_are_collected(None)
    assert found.id == STATIC_FILES_WARNING
    assert "1 static files are missing" in found.msg
    assert "desk/desk.css" in found.msg
    assert "collectstatic" in str(found.hint)


def test_the_live_origin_reports_missing_static_files_when_it_starts(tmp_path: Path) -> None:
    started = processes.run("-c", START.format(tmp_path), database=tmp_path / "none")

    assert started.returncode == 0
    line = rf"\S+ WARNING site_mirror\.wsgi {STATIC_FILES_WARNING}: [^\n]+collectstatic[^\n]+\n"
    assert re.fullmatch(line, started.stderr)
