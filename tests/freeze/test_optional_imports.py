"""A freeze does not import optional packages of libraries that it does not need."""

import importlib
import sys
from pathlib import Path

import pytest

from site_mirror.management.optional_imports import OPTIONAL_PACKAGES, without_optional_imports
from tests.freeze import processes

NAME = "wave"
NOT_IN_A_PIPE = ("rich",)
UNUSED = (*OPTIONAL_PACKAGES, *NOT_IN_A_PIPE)


def test_an_optional_package_cannot_be_imported_within_the_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, NAME, raising=False)

    with without_optional_imports(NAME), pytest.raises(ImportError):
        importlib.import_module(NAME)

    assert importlib.import_module(NAME).__name__ == NAME


def test_a_freeze_imports_no_optional_package(tmp_path: Path) -> None:
    program = (
        "import sys; from django.core.management import call_command;"
        "import django; django.setup()\n"
        "try: call_command('freeze', sys.argv[1])\n"
        "except BaseException: print(type(sys.exc_info()[1]).__name__)\n"
        "print('site_mirror.freeze.site' in sys.modules, "
        f"[n for n in {UNUSED} if n in sys.modules])"
    )
    target, database = tmp_path / "site", tmp_path / "empty.sqlite3"
    done = processes.run("-c", program, str(target), database=database)

    assert done.stdout == "CommandError\nTrue []\n"
