"""Static files that were not collected are reported before an editor misses them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command

from site_mirror.static_files import STATIC_ID, static_files_are_collected

ROOT = Path(__file__).resolve().parent.parent
START = "from django.conf import settings; settings.STATIC_ROOT = '{}'; import site_mirror.wsgi"


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    call_command("collectstatic", "--no-input", "--verbosity", "0")
    return tmp_path


def test_collected_files_are_complete(collected: Path) -> None:
    assert static_files_are_collected(None) == []


def test_a_missing_file_is_named_with_what_to_run(collected: Path) -> None:
    (collected / "catalogue/admin.css").unlink()
    [found] = static_files_are_collected(None)

    assert found.id == STATIC_ID
    assert "1 static files are missing" in found.msg
    assert "catalogue/admin.css" in found.msg
    assert "collectstatic" in str(found.hint)


def test_a_machine_of_ones_own_needs_none(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT, settings.DEBUG = tmp_path, True

    assert static_files_are_collected(None) == []


def test_only_checks_for_deployment_look(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    always, deployed = run_checks(), run_checks(include_deployment_checks=True)

    assert STATIC_ID not in {found.id for found in always}
    assert STATIC_ID in {found.id for found in deployed}


def test_the_live_origin_says_so_when_it_starts(tmp_path: Path) -> None:
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
        rf"\S+ WARNING site_mirror\.wsgi {STATIC_ID}: [^\n]+collectstatic[^\n]+\n", started.stderr
    )
