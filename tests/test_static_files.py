"""Static files that were not collected are reported by a check and at the start of the origin."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command

from site_mirror.checks import STATIC_FILES_WARNING, static_files_are_collected

ROOT = Path(__file__).resolve().parent.parent
START = "from django.conf import settings; settings.STATIC_ROOT = '{}'; import site_mirror.wsgi"


@pytest.fixture
def static_folder(settings: Any, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    call_command("collectstatic", "--no-input", "--verbosity", "0")
    return tmp_path


def test_collected_files_are_complete(static_folder: Path) -> None:
    assert static_files_are_collected(None) == []


def test_a_missing_static_file_is_named_with_the_command_to_run(static_folder: Path) -> None:
    (static_folder / "catalogue/admin.css").unlink()
    [found] = static_files_are_collected(None)

    assert found.id == STATIC_FILES_WARNING
    assert "1 static files are missing" in found.msg
    assert "catalogue/admin.css" in found.msg
    assert "collectstatic" in str(found.hint)


def test_static_files_are_not_required_with_debug(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT, settings.DEBUG = tmp_path, True

    assert static_files_are_collected(None) == []


def test_only_checks_for_deployment_look_for_static_files(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    always, deployed = run_checks(), run_checks(include_deployment_checks=True)

    assert STATIC_FILES_WARNING not in {found.id for found in always}
    assert STATIC_FILES_WARNING in {found.id for found in deployed}


def test_the_live_origin_reports_missing_static_files_when_it_starts(tmp_path: Path) -> None:
    started = subprocess.run(
        [sys.executable, "-c", START.format(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "site_mirror.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.returncode == 0
    assert re.fullmatch(
        rf"\S+ WARNING site_mirror\.wsgi {STATIC_FILES_WARNING}: [^\n]+collectstatic[^\n]+\n",
        started.stderr,
    )
